//! Search parameters, one line each: `name: default in min..=max, step;`.
//!
//! Scores and margins are in hundredths of a pawn, depths in plies, reductions in 1/1024 ply,
//! histories within ±`MAX_ENTRY` of `ordering/statistics.rs`, time scales in permille. `step` is
//! the change that a tuner tries: about 2 or 3 Elo.
//!
//! Glossary: `asp` aspiration windows, `eval` static evaluation, `tt` transposition table, `vote`
//! thread voting, `iir` internal iterative reduction, `rfp` reverse futility pruning, `razor`
//! razoring, `probcut` ProbCut, `nmp` null-move pruning, `lmp` late move pruning, `fp` futility
//! pruning, `hist` histories, `see` static exchange evaluation, `prune` depth for the pruning of
//! quiet moves, `lmr` late move reductions, `early` reductions of early moves, `hindsight` changes
//! of depth after a reduction, `se` singular extensions, `qs` quiescence search, `corr` correction
//! histories, `tm` time management, `order` move ordering.

#[cfg(feature = "tune")]
use super::tune::Tunable;

/// Makes a `const fn` of each line and checks `min ≤ default ≤ max` at compile time. With the
/// feature `tune` the functions read values that can be set.
macro_rules! tunables {
    ($($name:ident: $default:literal in $min:literal..=$max:literal, $step:literal;)*) => {
        $(
            #[cfg(not(feature = "tune"))]
            #[inline]
            pub(crate) const fn $name() -> i32 {
                $default
            }
            #[cfg(feature = "tune")]
            #[inline]
            pub(crate) fn $name() -> i32 {
                values::$name.get()
            }
            const _: () = assert!(
                $min <= $default && $default <= $max && $step > 0,
                stringify!($name)
            );
        )*
        #[cfg(feature = "tune")]
        #[expect(non_upper_case_globals, reason = "each is named like the function that reads it")]
        mod values {
            use crate::search::tune::Tunable;
            $(
                pub(crate) static $name: Tunable =
                    Tunable::new(stringify!($name), $default, $min..=$max, $step);
            )*
        }
        /// All parameters that can be set; empty without the feature `tune`.
        #[cfg(feature = "tune")]
        pub static TUNABLES: &[&Tunable] = &[$(&values::$name),*];
    };
}

/// All parameters that can be set; empty without the feature `tune`.
#[cfg(not(feature = "tune"))]
pub static TUNABLES: &[&super::tune::Tunable] = &[];

tunables! {
    asp_min_depth: 4 in 2..=8, 1;
    asp_delta: 12 in 2..=40, 4;
    asp_square: 8000 in 1000..=40000, 2000; // of the square of the score, added to the width
    asp_growth: 60 in 20..=150, 10; // percent of the width
    asp_max_delta: 600 in 200..=2000, 100;
    asp_max_reduction: 3 in 0..=6, 1; // plies, one for each fail high

    tt_age_weight: 4 in 1..=10, 1; // plies for each search since
    tt_deeper_is_kept: 4 in 1..=10, 1;
    tt_max_halfmove_clock: 89 in 70..=99, 3;

    vote_base: 20 in 5..=60, 4;

    iir_min_depth: 4 in 2..=8, 1;

    eval_safe: 800 in 300..=2000, 100; // an advantage that almost always wins
    eval_excess_divisor: 8 in 4..=32, 4; // of what exceeds it
    eval_clock: 200 in 120..=400, 20; // plies of the halfmove clock that scale it to zero

    rfp_max_depth: 9 in 4..=14, 1;
    rfp_margin: 55 in 10..=140, 12;
    rfp_improving: 45 in 0..=140, 12;
    rfp_doubt: 30 in 0..=100, 10; // percent of the correction
    rfp_blend_divisor: 3 in 1..=6, 1;

    razor_max_depth: 3 in 0..=6, 1;
    razor_base: 120 in 0..=500, 50;
    razor_margin: 150 in 10..=500, 50; // for the square of the depth

    probcut_min_depth: 5 in 3..=10, 1;
    probcut_margin: 120 in 20..=320, 30;
    probcut_improving: 35 in 0..=100, 16;
    probcut_adaptive: 150 in 20..=400, 35; // above the raised beta, for each ply less
    probcut_reduction: 4 in 3..=6, 1;

    nmp_min_depth: 3 in 1..=6, 1;
    nmp_eval_base: 85 in 0..=300, 30;
    nmp_eval_depth: 13 in 0..=40, 4;
    nmp_base: 4 in 2..=8, 1;
    nmp_depth_divisor: 4 in 2..=6, 1;
    nmp_eval_divisor: 120 in 40..=400, 35;
    nmp_eval_max: 3 in 1..=8, 1;
    nmp_verification_depth: 14 in 8..=20, 1;
    nmp_verified_share: 75 in 40..=100, 5; // percent of the depth searched

    lmp_max_depth: 9 in 4..=14, 1;
    lmp_base: 4 in 1..=10, 1;
    lmp_share: 600 in 256..=1024, 60; // of 1024, without improvement
    lmp_improvement: 4 in 0..=20, 2; // for each hundredth of a pawn
    lmp_hist_divisor: 8192 in 2048..=65536, 2048; // history for each move more

    fp_max_depth: 8 in 4..=12, 1;
    fp_base: 50 in 0..=250, 20;
    fp_margin: 55 in 5..=160, 14;
    fp_doubt: 30 in 0..=100, 10; // percent of the correction

    fp_noisy_max_depth: 10 in 4..=14, 1;
    fp_noisy_base: 25 in 0..=200, 20;
    fp_noisy_margin: 85 in 5..=200, 14;
    fp_noisy_hist_divisor: 16 in 6..=64, 4; // history for each hundredth of a pawn

    hist_pruning_max_depth: 4 in 1..=8, 1;
    hist_pruning_margin: 5450 in 1000..=8000, 500;

    see_max_depth: 10 in 4..=14, 1;
    see_noisy: 104 in 20..=180, 18;
    see_hist_divisor: 64 in 16..=512, 16; // history for each hundredth of a pawn
    see_quiet: 23 in 4..=60, 7;

    prune_base: -144 in -1500..=1500, 80;
    prune_factor: 214 in 120..=400, 12;
    prune_hist_divisor: 16 in 6..=64, 4;

    lmr_min_depth: 2 in 2..=4, 1;
    lmr_quiet_base: 880 in 0..=2000, 80;
    lmr_quiet_factor: 214 in 120..=400, 12;
    lmr_noisy_base: 176 in 0..=1500, 80;
    lmr_noisy_factor: 159 in 60..=300, 12;
    lmr_not_improving: 500 in 0..=1536, 80;
    lmr_cut_node: 1280 in 0..=2560, 100;
    lmr_tt_pv: 1200 in 0..=2048, 80;
    lmr_gives_check: 980 in 0..=2048, 80;
    lmr_noisy_tt_move: 550 in 0..=1536, 80;
    lmr_doubt: 4 in 0..=16, 2; // for each hundredth of a pawn of the correction
    lmr_pv: 450 in 0..=1536, 80;
    lmr_child_cutoffs: 760 in 0..=1536, 80;
    lmr_child_cutoffs_all: 400 in 0..=1536, 80; // besides, in all-nodes
    lmr_many_cutoffs: 2 in 0..=6, 1;
    lmr_hist_divisor: 11 in 4..=24, 2;
    lmr_noisy_hist_divisor: 6 in 2..=24, 1;
    lmr_tt_upper: 500 in 0..=1536, 80;
    hindsight_plies: 3 in 1..=6, 1;
    hindsight_margin: 60 in 0..=300, 25;
    early_one_ply: 2700 in 1000..=6000, 200;
    early_two_plies: 5600 in 2000..=9000, 300;
    early_tt_move: 3072 in 0..=6000, 250;
    lmr_deeper_margin: 43 in 5..=120, 14;

    se_min_depth: 5 in 4..=10, 1;
    se_tt_depth: 3 in 1..=5, 1;
    se_margin: 12 in 2..=64, 4; // sixteenths for each ply of depth
    se_exact_margin: 8 in 1..=64, 2;
    se_pv_double: 80 in 0..=300, 15; // added to the margins in PV nodes
    se_new_pv_double: 20 in 0..=150, 10; // besides, if the TT entry is not from a PV node
    se_doubt: 15 in 0..=60, 6; // percent of the correction
    se_double_margin: 12 in 0..=60, 4;
    se_triple_margin: 45 in 10..=250, 12;
    se_low_depth: 7 in 3..=10, 1;
    se_low_margin: 25 in 0..=100, 10;
    se_negative_high: 3 in 0..=4, 1;
    se_negative_cut: 2 in 0..=4, 1;

    order_check: 10000 in 0..=16000, 1500;
    order_check_see: 96 in 0..=200, 15; // loss by SEE that a check may have
    order_threat_minor: 3440 in 0..=16000, 1200; // attacked by pieces of lesser value
    order_threat_rook: 8740 in 0..=16000, 1500;
    order_threat_queen: 13080 in 0..=16000, 2000;
    order_offence: 4000 in 0..=16000, 1500;
    order_king_pawn: 3000 in 0..=16000, 1500;
    order_evasion: 18 in 0..=80, 8; // for each hundredth of a pawn of the moved piece, in check
    order_evasion_noisy: 30 in 0..=80, 8; // the same for captures
    noisy_victim_factor: 8 in 2..=20, 1;
    good_noisy_see_divisor: 43 in 8..=128, 10;

    qs_futility: 100 in 20..=300, 30;
    qs_max_noisy: 3 in 2..=8, 1;
    qs_see_divisor: 8 in 2..=32, 2;
    qs_see_loss: 30 in 0..=150, 15;

    hist_bonus_depth: 304 in 50..=400, 40;
    hist_bonus_max: 1640 in 400..=4000, 300;
    hist_bonus_growth: 5 in 0..=20, 2; // percent for each other quiet move, up to 20
    hist_malus_depth: 176 in 50..=400, 30;
    hist_malus_max: 1820 in 400..=4000, 300;
    hist_malus_decay: 5 in 0..=20, 2; // percent for each quiet move searched before
    hist_malus_min: 3 in 0..=100, 15; // percent
    hist_continuation: 30 in 5..=100, 15; // percent of bonus and malus
    hist_re_search: 30 in 0..=100, 15; // percent of bonus and malus
    hist_last: 150 in 0..=300, 25; // percent, by the distance of the earlier move
    hist_second: 110 in 0..=300, 25;
    hist_far: 70 in 0..=200, 15; // four and six plies ago
    hist_usual: 3800 in 0..=8000, 500; // what counts as neither good nor bad
    hist_tt_cutoff: 27 in 0..=150, 20; // percent
    hist_prior: 25 in 0..=150, 20; // percent
    hist_gain: 30 in 0..=40, 6; // for each hundredth of a pawn
    hist_gain_pawn: 60 in 0..=150, 20; // percent, in the pawn history
    hist_gain_tempo: 15 in -30..=60, 8; // hundredths of a pawn, for the right to move that is lost
    hist_gain_depth: 6 in 1..=12, 1; // plies
    hist_gain_limit: 50 in 20..=120, 12;

    // Largest correction by each structure or pair of moves.
    corr_pawn: 48 in 0..=150, 6;
    corr_minor: 53 in 0..=150, 6;
    corr_non_pawn: 59 in 0..=150, 6;
    corr_continuation: 51 in 0..=150, 6;
    corr_rate: 11 in 1..=40, 3; // for each hundredth of a pawn and ply, in eighths
    corr_max_step: 2220 in 256..=4096, 128;

    tm_horizon: 32 in 16..=60, 2; // moves
    tm_horizon_decay: 400 in 0..=800, 40; // permille of a move for each move played
    tm_horizon_end: 16 in 8..=32, 2;
    tm_increment: 650 in 300..=1000, 50;
    tm_ponder: 1250 in 1000..=1500, 50;
    tm_hard_share: 700 in 200..=800, 40;
    tm_last_share: 900 in 500..=950, 30;
    tm_hard_factor: 9000 in 2000..=20000, 1000; // permille of the soft limit
    tm_hard_base: 1500 in 1000..=3000, 100; // the same, with moves to go
    tm_hard_step: 100 in 0..=300, 20; // for each of them
    tm_min_depth: 5 in 2..=10, 1;
    tm_stability_base: 1400 in 900..=2000, 50;
    tm_stability_step: 90 in 20..=200, 10;
    tm_stability_max: 7 in 3..=12, 1;
    tm_trend: 8 in 0..=20, 1; // permille for each hundredth of a pawn of score drop
    tm_trend_max: 400 in 0..=800, 40;
    tm_move_trend: 10 in 0..=30, 2; // the same, since the last move
    tm_move_trend_max: 500 in 0..=800, 40;
    tm_node_base: 2000 in 1000..=3500, 60;
    tm_node_slope: 1600 in 400..=3000, 60;
    tm_node_min: 550 in 300..=1000, 40;
}
