// The clocks of a game against the engine.

import { $ } from './dom.js';

/** @import { Play, Side } from './game.js' */

/** Milliseconds below which tenths of a second are shown. */
const TENTHS_BELOW = 10_000;
const TICK = 100;

export class Clock {
  /** @type {(side: Side) => void} Called when the time of a side is up. */
  onflag = () => {};
  /** @type {() => void} Called when the clocks have to be drawn again. */
  ontick = () => {};
  /**
   * @type {{ play: Play, side: Side, began: number, timer: ReturnType<typeof setInterval> } | null}
   */
  #running = null;

  /** Lets the time of a side run, if the game has clocks. @param {Play} play @param {Side} side */
  run(play, side) {
    if (this.#running?.play === play && this.#running.side === side) {
      return;
    }
    this.pause();
    if (play.time) {
      const timer = setInterval(() => this.#tick(), TICK);
      this.#running = { play, side, began: performance.now(), timer };
    }
  }

  /** Stops the clocks. What was used is gone. */
  pause() {
    if (this.#running) {
      const { play, side, timer } = this.#running;
      clearInterval(timer);
      play.clocks[side] = this.left(play, side);
      this.#running = null;
    }
  }

  /**
   * Stops the clock of the side that has moved and adds its increment.
   * @param {Play} play
   * @param {Side} side
   */
  press(play, side) {
    this.pause();
    play.clocks[side] += play.time?.increment ?? 0;
  }

  /**
   * Returns the milliseconds left, negative when the time is up.
   * @param {Play} play
   * @param {Side} side
   */
  left(play, side) {
    const running = this.#running;
    const used =
      running?.play === play && running.side === side ? performance.now() - running.began : 0;
    return play.clocks[side] - used;
  }

  #tick() {
    if (this.#running) {
      const { play, side } = this.#running;
      if (this.left(play, side) <= 0) {
        this.pause();
        this.onflag(side);
      }
    }
    this.ontick();
  }
}

/** Returns a time as `4:32`, below ten seconds as `9.5`. @param {number} milliseconds */
export function clockText(milliseconds) {
  const left = Math.max(0, milliseconds);
  if (left < TENTHS_BELOW) {
    return (Math.floor(left / 100) / 10).toFixed(1);
  }
  const seconds = Math.floor(left / 1000);
  const text = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? `${hours}:${text.join(':')}` : `${Number(text[0])}:${text[1]}`;
}

/**
 * Shows the names of the players, and their clocks, above and below the board.
 * @param {Record<Side, string>} names
 * @param {Record<Side, number> | null} clocks
 * @param {Side} turn
 * @param {boolean} isFlipped
 */
export function showPlayers(names, clocks, turn, isFlipped) {
  for (const [side, place] of /** @type {[Side, string][]} */ ([
    ['w', isFlipped ? 'top' : 'bottom'],
    ['b', isFlipped ? 'bottom' : 'top'],
  ])) {
    $(`${place}-name`).textContent = names[side];
    $(`${place}-clock`).textContent = clocks ? clockText(clocks[side]) : '';
    $(place).classList.toggle('turn', side === turn);
    $(place).classList.toggle('white', side === 'w');
  }
}
