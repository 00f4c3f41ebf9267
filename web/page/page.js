// The page: plays against the engine, analyses, reviews games.
//
// What the user does changes the state and calls `update`, which asks the rules for the position on
// the board, draws everything, keeps the game in the storage, and lets the engine do what the
// position needs. Each file uses only those below it, but for the files of its own line:
//
//     page.js                            starts the page
//     controls.js, open.js, new_game.js  what the user may press
//     actions.js                         what that does with the game
//     think.js                           what the engine does
//     show.js                            draws the state
//     state.js                           the state, and what follows from it
//     board.js, pieces.js, moves.js      draw the board and the moves
//     review.js, score.js                judgement of a game and its graph, the bar
//     play.js, clock.js                  a game against the engine, its clocks
//     files.js                           the storage of the browser, lists of games
//     engine.js, game.js, dom.js         searches, a game as a tree of moves, elements

import { attempt, open, update } from './actions.js';
import { listenToAnalysis, listenToBoard, listenToPlay } from './controls.js';
import { firstGame, listenToNewGame, prepareNewGame } from './new_game.js';
import { listenToFiles, listenToLeaving, listenToTexts } from './open.js';
import { say, showClocks, showStatus } from './show.js';
import { engine, library, load, now, opponent, state } from './state.js';

engine.onfault = (message) => {
  if (!engine.isDead) {
    say(`The engine reports: ${message}`, true);
    return;
  }
  // The rules of `tabia web` fail with the engine, and may have said more.
  state.fault ??= `The engine has failed: ${message}. The moves stay here.`;
  state.isAnalysing = false;
  if (now) {
    attempt(() => {});
  } else {
    showStatus();
  }
};
library.onfault = (reason) => {
  // After the change that could not be kept has been shown.
  queueMicrotask(() =>
    say(`The browser cannot keep this game: ${reason}. Save it as a file.`, true),
  );
};
try {
  await load();
  opponent.onchange = update;
  opponent.clock.ontick = showClocks;
  listenToBoard();
  listenToPlay();
  listenToAnalysis();
  listenToNewGame();
  listenToFiles();
  listenToTexts();
  listenToLeaving();
  prepareNewGame();
  open(library.last() ?? firstGame());
} catch (error) {
  state.fault = /** @type {Error} */ (error).message;
  showStatus();
}
