// Opens games: from texts, files, drops and the list of those that are kept. Saves and copies them.

import { attempt, open, update } from './actions.js';
import { $, dialog, input } from './dom.js';
import { described, isFen, listed, saveFile, showList, textOf } from './files.js';
import { Game } from './game.js';
import { say } from './show.js';
import { library, opponent, rules, state } from './state.js';

/** @import { Listed } from '../rules.js' */

/** Opens a text: a position, or a game, or a list of games to choose from. @param {string} text */
function openText(text) {
  attempt(() => {
    if (isFen(text)) {
      openPosition(text.trim());
      return;
    }
    const games = rules.listGames(text);
    if (games.length > 1) {
      chooseGame(text, games);
      return;
    }
    open(Game.fromTree(rules.readPgn(text).tree));
  });
}

/** Opens a position, which may be wrong. @param {string} fen */
function openPosition(fen) {
  rules.game(fen, []);
  open(new Game(fen));
}

/** @param {string} text @param {Listed[]} games */
function chooseGame(text, games) {
  const asked = dialog('games-dialog');
  $('games-title').textContent = `${games.length} games in the file`;
  $('save-all').hidden = true;
  showList(
    games.map((listed, index) => {
      if (listed.error !== undefined) {
        return { text: `Game ${index + 1} cannot be read`, detail: listed.error };
      }
      const openGame = () => {
        asked.close();
        attempt(() => open(Game.fromTree(rules.readPgn(text, index + 1).tree)));
      };
      return { ...described(listed), open: openGame };
    }),
  );
  asked.showModal();
}

/** Shows the games that are kept. */
function showGames() {
  const asked = dialog('games-dialog');
  $('games-title').textContent = 'Games';
  const games = library.games();
  $('save-all').hidden = games.length === 0;
  showList(
    games.map(({ id, stored }) => ({
      ...described(listed(stored)),
      isCurrent: id === state.game.id,
      open: () => {
        asked.close();
        const loaded = id === state.game.id ? null : library.load(id);
        if (loaded) {
          state.isAnalysing = false;
          open(loaded);
        }
      },
      remove: () => {
        library.remove(id);
        if (id === state.game.id) {
          state.game = new Game();
          open(state.game);
        }
        showGames();
      },
    })),
  );
  if (!asked.open) {
    asked.showModal();
  }
}

/** Listens to the list of games, and to files that are opened and saved. */
export function listenToFiles() {
  $('games').onclick = () => {
    library.save(state.game);
    showGames();
  };
  $('save-all').onclick = () => {
    const texts = library.games().map(({ stored }) => rules.writeTree(stored.tree));
    saveFile('tabia.pgn', texts.join('\n'));
  };
  $('open').onclick = () => $('file').click();
  $('save').onclick = () => {
    const players = ['White', 'Black']
      .map((name) => state.game.tag(name))
      .filter(Boolean)
      .join('-');
    const name = players.replace(/[^\p{L}\p{N}-]+/gu, '_') || 'game';
    saveFile(`${name}.pgn`, input('pgn').value);
  };
  input('file').onchange = async () => {
    const [file] = input('file').files ?? [];
    if (file) {
      openText(await textOf(file));
    }
    input('file').value = '';
  };
  listenToDrops();
}

function listenToDrops() {
  document.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) {
      event.preventDefault();
      $('drop').hidden = false;
    }
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) {
      $('drop').hidden = true;
    }
  });
  document.addEventListener('drop', async (event) => {
    $('drop').hidden = true;
    const [file] = event.dataTransfer?.files ?? [];
    if (file) {
      event.preventDefault();
      openText(await textOf(file));
    }
  });
}

/** Listens to the fields with the FEN and the PGN. */
export function listenToTexts() {
  $('fen-form').onsubmit = (event) => {
    event.preventDefault();
    attempt(() => openPosition(input('fen').value.trim()));
  };
  $('pgn-form').onsubmit = (event) => {
    event.preventDefault();
    openText(input('pgn').value);
  };
  $('copy').onclick = async () => {
    try {
      await navigator.clipboard.writeText(input('pgn').value);
      say('The PGN is copied.');
    } catch {
      input('pgn').select();
      say('The browser forbids to copy. The PGN is selected: press Ctrl and C.');
    }
  };
}

/** Keeps the game when the page is left, with the clocks of this moment. */
export function listenToLeaving() {
  window.addEventListener('pagehide', () => {
    opponent.clock.pause();
    library.save(state.game);
  });
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) {
      update();
    }
  });
}
