//! A recipe: all that decides a network's bytes, in a TOML file.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use serde::Deserialize;

use tabia::datagen::{GameOptions, KeepFilter, ShardHeader, Version};
use tabia::eval::network::{MAX_BUCKETS, MAX_HIDDEN, SCALE};

use crate::learner::SLICES;
use crate::model::{Shape, TILE};

/// The most men on a board.
const MAX_MEN: usize = 32;
/// The largest number of random moves away from the line of a game.
const MAX_RANDOM_MOVES: u64 = 32;

/// A recipe.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The SHA-256 of the network's file, once it is known.
    pub sha256: Option<String>,
    /// The games to learn from.
    pub games: Vec<Games>,
    /// Games whose interior labels are the off-line test set: nothing is learnt from them.
    pub off_line: Option<Games>,
    /// Which of their positions, and what is to be learnt about these.
    #[serde(default)]
    pub positions: Positions,
    /// What the network learns from another one.
    pub distillation: Option<Distillation>,
    /// The network's shape.
    pub network: Shape,
    /// How it is trained.
    pub training: Training,
}

/// Games of one seed, as `tabia datagen` makes them.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Games {
    /// The engine that plays: the commit's whole hash.
    pub engine: String,
    /// The SHA-256 of the file of the network that it evaluates with; without one it is the hand-written evaluation.
    pub net: Option<String>,
    /// The seed.
    pub seed: u64,
    /// The number of games, those from 0 on.
    pub count: u64,
    /// The plies in a slot, of which at most one is a label: from each ply on where the numbers of game and ply sum up to
    /// a multiple of this, the first that is kept. With 1 all that are kept are labels.
    #[serde(default = "Games::usual_every")]
    pub every: u64,
    /// What the result weighs in these games, in place of [`Positions::result_weight`].
    pub result_weight: Option<f64>,
    /// The options of `tabia datagen` that differ from their defaults.
    #[serde(default)]
    pub options: BTreeMap<String, u64>,
}

/// Which positions are learnt from, and what.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Positions {
    /// The first ply of a game, from 0.
    pub min_ply: usize,
    /// The largest score, of either sign, in hundredths of a pawn.
    pub max_score: i32,
    /// The most men, kings included, of the positions that [`Self::few_men_keep`] is about.
    pub few_men: usize,
    /// Of positions with so few men, one in this many is kept.
    pub few_men_keep: u64,
    /// Whether positions are kept where a side has its king alone.
    pub lone_kings: bool,
    /// Whether interior labels are learnt from beside those of the games' own positions.
    pub interior: bool,
    /// Every so many-th game is held out to test the network on.
    pub held_out: u64,
    /// The part of the game's result in the target, 0 to 1; the rest is the winning chance by scores.
    pub result_weight: f64,
    /// How much of that chance comes from the game's later scores instead of the position's own: it is that of the own
    /// score times 1 − λ plus λ times that of the next position, and so on to the result. From 0 to 1.
    pub lambda: f64,
}

impl Default for Positions {
    fn default() -> Self {
        let KeepFilter { min_ply, max_score, .. } = KeepFilter::default();
        Self {
            min_ply,
            max_score,
            few_men: 0,
            few_men_keep: 1,
            lone_kings: true,
            interior: true,
            held_out: 64,
            result_weight: 0.3,
            lambda: 0.0,
        }
    }
}

/// Positions off the lines of the games, whose target is the evaluation of another network.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Distillation {
    /// The SHA-256 of the file of that network, the teacher.
    pub teacher: String,
    /// The number of positions drawn, from all games alike, those held out included.
    pub positions: u64,
    /// The largest number of random moves away from the line of a game; 0 to so many are equally likely.
    #[serde(default = "Distillation::usual_moves")]
    pub moves: u64,
    /// The chance that a random move is drawn from captures and promotions alone, if there are any.
    #[serde(default)]
    pub captures: f64,
    /// The part of each batch that is drawn from these positions; with 1 the scores and results of games are not used.
    #[serde(default = "Distillation::usual_share")]
    pub share: f64,
}

impl Distillation {
    const fn usual_moves() -> u64 {
        3
    }

    const fn usual_share() -> f64 {
        1.0
    }

    /// Whether nothing else is learnt from.
    pub fn is_alone(&self) -> bool {
        self.share >= 1.0
    }
}

/// How a network is trained.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Training {
    /// What the start and the order of positions are drawn from.
    pub seed: u64,
    /// The SHA-256 of the network to start from; without one the start is drawn.
    pub start: Option<String>,
    /// How often each position is learnt from, but for those that are left in an epoch after its last whole batch.
    pub epochs: u64,
    /// Positions in a step.
    #[serde(default = "Training::usual_batch")]
    pub batch: usize,
    /// The greatest learning rate.
    pub rate: f64,
    /// The learning rate of the last step.
    pub final_rate: f64,
    /// Steps in which the rate rises.
    #[serde(default = "Training::usual_warm_up")]
    pub warm_up: u64,
    /// The score in hundredths of a pawn that means a winning chance of sigmoid(1) = 0.73, in targets and outputs alike.
    #[serde(default = "Training::usual_scale")]
    pub scale: u32,
    /// The loss is the error in winning chance to this power.
    #[serde(default = "Training::usual_exponent")]
    pub exponent: f64,
    /// What parameters lose of themselves in a step, times the rate.
    #[serde(default = "Training::usual_decay")]
    pub decay: f64,
}

impl Training {
    const fn usual_batch() -> usize {
        16_384
    }

    const fn usual_warm_up() -> u64 {
        200
    }

    const fn usual_scale() -> u32 {
        SCALE as u32
    }

    const fn usual_exponent() -> f64 {
        2.0
    }

    const fn usual_decay() -> f64 {
        0.01
    }
}

impl Recipe {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or if it is no recipe or one that makes no sense.
    pub fn read(path: &Path) -> Result<Self, RecipeError> {
        let text = fs::read_to_string(path)
            .map_err(|error| RecipeError::Unreadable(path.to_owned(), error))?;
        Self::parse(&text)
    }

    /// Reads the text of a recipe.
    ///
    /// # Errors
    /// If it is none, or one that makes no sense.
    pub fn parse(text: &str) -> Result<Self, RecipeError> {
        let recipe: Self =
            toml::from_str(text).map_err(|error| RecipeError::Form(Box::new(error)))?;
        recipe.check().map_err(RecipeError::Value)?;
        Ok(recipe)
    }

    /// Compares the hash of the network that was made with the one that the recipe names, if it does.
    ///
    /// # Errors
    /// Both, if they differ.
    pub fn check_network(&self, made: &str) -> Result<(), String> {
        match &self.sha256 {
            Some(named) if named != made => {
                Err(format!("the network made is {made}, the recipe's is {named}"))
            }
            _ => Ok(()),
        }
    }

    /// Returns the games to learn from and those of the off-line test set.
    pub fn all_games(&self) -> impl Iterator<Item = &Games> {
        self.games.iter().chain(&self.off_line)
    }

    fn check(&self) -> Result<(), String> {
        let (positions, network, training) = (&self.positions, &self.network, &self.training);
        let demand = |fits: bool, what: &str| if fits { Ok(()) } else { Err(what.to_owned()) };
        demand(self.sha256.as_ref().is_none_or(|hash| is_hash(hash, 64)), "sha256 is no hash")?;
        demand(!self.games.is_empty(), "there are no games to learn from")?;
        self.all_games().try_for_each(|games| games.game_options().map(drop))?;
        demand(self.all_games().all(Games::has_hashes), "engine and net are hashes, 0-9 and a-f")?;
        demand(self.all_games().all(|games| games.count > 0), "count is at least 1")?;
        demand(self.games.iter().all(|games| games.every > 0), "every is at least 1")?;
        let seeds: HashSet<u64> = self.all_games().map(|games| games.seed).collect();
        demand(seeds.len() == self.all_games().count(), "games of one seed are named once")?;
        demand(positions.max_score > 0, "max_score is at least 1")?;
        demand(positions.few_men <= MAX_MEN, &format!("few_men is 0 to {MAX_MEN}"))?;
        demand(positions.few_men_keep > 0, "few_men_keep is at least 1")?;
        demand(positions.held_out > 1, "held_out is at least 2")?;
        let weights = self.games.iter().filter_map(|games| games.result_weight);
        let are_weights =
            weights.chain([positions.result_weight]).all(|weight| (0.0..=1.0).contains(&weight));
        demand(are_weights, "result_weight is 0 to 1")?;
        demand((0.0..=1.0).contains(&positions.lambda), "lambda is 0 to 1")?;
        if let Some(distillation) = &self.distillation {
            let Distillation { teacher, positions, moves, captures, share } = distillation;
            demand(is_hash(teacher, 64), "teacher is no hash of a network")?;
            demand(*positions > 0, "positions of distillation is at least 1")?;
            demand(*moves <= MAX_RANDOM_MOVES, &format!("moves is 0 to {MAX_RANDOM_MOVES}"))?;
            demand((0.0..=1.0).contains(captures), "captures is 0 to 1")?;
            demand(0.0 < *share && *share <= 1.0, "share is above 0 and at most 1")?;
        }
        let fits =
            (1..=MAX_HIDDEN).contains(&network.hidden) && network.hidden.is_multiple_of(TILE);
        demand(fits, &format!("hidden is a multiple of {TILE} up to {MAX_HIDDEN}"))?;
        let fits = (1..=MAX_BUCKETS).contains(&network.buckets);
        demand(fits, &format!("buckets is 1 to {MAX_BUCKETS}"))?;
        let is_whole = training.batch > 0 && training.batch.is_multiple_of(SLICES);
        demand(is_whole, &format!("batch is a multiple of {SLICES}"))?;
        demand(training.epochs > 0, "epochs is at least 1")?;
        let is_network = |hash: &String| is_hash(hash, 64);
        demand(training.start.as_ref().is_none_or(is_network), "start is no hash of a network")?;
        let rates = 0.0 < training.final_rate && training.final_rate <= training.rate;
        demand(rates && training.rate < 1.0, "0 < final_rate ≤ rate < 1")?;
        demand((10..=10_000).contains(&training.scale), "scale is 10 to 10000")?;
        demand((1.0..=8.0).contains(&training.exponent), "exponent is 1 to 8")?;
        demand((0.0..=1.0).contains(&training.decay), "decay is 0 to 1")
    }
}

impl Games {
    const fn usual_every() -> u64 {
        1
    }

    fn has_hashes(&self) -> bool {
        is_hash(&self.engine, 40) && self.net.as_ref().is_none_or(|net| is_hash(net, 64))
    }

    /// The options of the games.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn game_options(&self) -> Result<GameOptions, String> {
        let mut options = GameOptions::default();
        for (name, &value) in &self.options {
            let spec = GameOptions::TABLE.iter().find(|spec| spec.name == name);
            let spec = spec.ok_or_else(|| format!("datagen has no option {name}"))?;
            spec.set(&mut options, value)?;
        }
        Ok(options)
    }

    /// In what the games of a shard are not those of the recipe.
    pub fn mismatch(&self, header: &ShardHeader) -> Option<&'static str> {
        let commit = header.engine.rsplit('-').next().unwrap_or_default();
        let net = hex(&header.net);
        let zeros = "0".repeat(net.len());
        let options = self.game_options().map(|options| match header.version {
            Version::One => options.version_1(),
            Version::Two => options,
        });
        let fits = [
            ("engine is not that", commit.len() >= 7 && self.engine.starts_with(commit)),
            ("net is not that", *self.net.as_ref().unwrap_or(&zeros) == net),
            ("seed is not that", self.seed == header.seed),
            ("options are not those", options.as_ref() == Ok(&header.options)),
        ];
        fits.into_iter().find(|(_, fits)| !fits).map(|(what, _)| what)
    }
}

/// Whether a text may be a hash of so many digits, as [`hex`] writes it.
fn is_hash(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
}

/// A hash as recipes name it.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Why there is no recipe.
#[derive(Debug)]
pub enum RecipeError {
    /// The file cannot be read.
    Unreadable(PathBuf, io::Error),
    /// It is not of the form.
    Form(Box<toml::de::Error>),
    /// It says something senseless.
    Value(String),
}

impl fmt::Display for RecipeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Form(error) => error.fmt(f),
            Self::Value(what) => write!(f, "the recipe: {what}"),
        }
    }
}

impl std::error::Error for RecipeError {}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    const RECIPE: &str = "
        [[games]]
        engine = '0123456789012345678901234567890123456789'
        seed = 1
        count = 150_000
        options = { nodes = 2000, random_plies = 10 }
        [network]
        hidden = 128
        buckets = 8
        [training]
        seed = 1
        epochs = 20
        rate = 0.001
        final_rate = 0.000005";

    #[test]
    fn what_is_not_said_is_as_usual() {
        let recipe = Recipe::parse(RECIPE).expect("a recipe");
        let options = recipe.games[0].game_options().expect("options");
        assert_eq!((options.nodes, options.random_plies, options.win_score), (2000, 10, 1500));
        assert_eq!(recipe.positions, Positions::default());
        assert_eq!((recipe.positions.min_ply, recipe.training.batch), (16, 16_384));
    }

    #[test]
    fn the_recipe_in_the_documentation_is_one() {
        let page = include_str!("../../docs/training.md");
        let (_, rest) = page.split_once("```toml\n").expect("an example begins");
        let (example, _) = rest.split_once("```").expect("an example ends");
        let recipe = Recipe::parse(example).expect("a recipe");
        assert_eq!(recipe.positions, Positions::default());
        assert_eq!((recipe.training.epochs, recipe.training.final_rate), (20, 0.000_005));
    }

    #[test]
    fn shipped_networks_are_those_of_their_recipes() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../nets");
        let mut networks = 0;
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("a file").path();
            if path.extension().is_some_and(|ending| ending == "toml") {
                let recipe = Recipe::read(&path).expect("a recipe");
                if let Ok(network) = fs::read(path.with_extension("net")) {
                    assert_eq!(recipe.sha256, Some(hex(&Sha256::digest(network))), "{path:?}");
                    networks += 1;
                }
            }
        }
        assert!(networks > 0);
    }

    #[test]
    fn a_recipe_knows_its_network() {
        let mut recipe = Recipe::parse(RECIPE).expect("a recipe");
        assert_eq!(recipe.check_network("ab"), Ok(()));
        recipe.sha256 = Some("cd".to_owned());
        assert_eq!(recipe.check_network("cd"), Ok(()));
        let error = recipe.check_network("ab").expect_err("another network");
        assert_eq!(error, "the network made is ab, the recipe's is cd");
    }

    #[test]
    fn senseless_recipes_are_refused() {
        let refusal = |from: &str, to: &str| {
            assert!(RECIPE.contains(from));
            Recipe::parse(&RECIPE.replace(from, to)).expect_err("senseless").to_string()
        };
        for hidden in ["hidden = 100", "hidden = 0", "hidden = 1088"] {
            assert!(refusal("hidden = 128", hidden).contains("multiple of 64 up to 1024"));
        }
        assert!(refusal("hidden = 128", "hiden = 128").contains("hiden"));
        assert!(refusal("hidden = 128", "").contains("hidden"));
        assert!(refusal("nodes", "knots").contains("no option knots"));
        assert!(refusal("nodes = 2000", "nodes = 0").contains("--nodes takes 1 to"));
        for name in ["tip!", "ABCD", "012"] {
            assert!(refusal("0123", name).contains("engine and net are hashes"));
        }
        let no_hash = "sha256 = 'AB'\n[[games]]";
        assert!(refusal("[[games]]", no_hash).contains("sha256 is no hash"));
        assert!(refusal("count = 150_000", "count = 0").contains("count is at least"));
        let with = |line: &str| refusal("count = 150_000", &format!("count = 2\n{line}"));
        assert!(with("every = 0").contains("every is at least 1"));
        assert!(with("result_weight = 1.5").contains("result_weight is 0 to 1"));
        let games = format!("[[games]]\nengine = '{}'\nseed = 1\ncount = 2\n", "0".repeat(40));
        assert!(refusal("[network]", &(games + "[network]")).contains("named once"));
        let no_score = "[positions]\nmax_score = 0\n[network]";
        assert!(refusal("[network]", no_score).contains("max_score"));
        let positions =
            |line: &str| refusal("[network]", &format!("[positions]\n{line}\n[network]"));
        assert!(positions("few_men = 33").contains("few_men is 0 to 32"));
        assert!(positions("few_men = 7\nfew_men_keep = 0").contains("few_men_keep is at least 1"));
        assert!(refusal("buckets = 8", "buckets = 32").contains("buckets is 1 to 31"));
        assert!(refusal("rate = 0.001", "rate = 0.000001").contains("final_rate ≤ rate"));
        assert!(
            refusal("epochs = 20", "epochs = 20\nbatch = 1000").contains("batch is a multiple")
        );
        assert!(refusal("[network]", "[positions]\nlambda = 2\n[network]").contains("lambda"));
        assert!(refusal("epochs = 20", "epochs = 20\nstart = '0'").contains("start is no hash"));
        let distillation = |lines: &str| {
            let teacher = "0".repeat(64);
            let table = format!("[distillation]\nteacher = '{teacher}'\n{lines}\n[network]");
            refusal("[network]", &table)
        };
        assert!(distillation("").contains("positions"));
        assert!(distillation("positions = 0").contains("positions of distillation is at least 1"));
        assert!(distillation("positions = 1\nmoves = 33").contains("moves is 0 to 32"));
        assert!(distillation("positions = 1\ncaptures = 1.5").contains("captures is 0 to 1"));
        for share in ["0.0", "1.1"] {
            let line = format!("positions = 1\nshare = {share}");
            assert!(distillation(&line).contains("share is above 0"));
        }
        let no_hash = "[distillation]\nteacher = '12'\npositions = 1\n[network]";
        assert!(refusal("[network]", no_hash).contains("teacher is no hash"));
    }
}
