//! A search engine over an in-memory corpus that ranks as the research server does.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::error::Error;

use serde_json::Value;

/// Default length of a snippet, in characters.
pub const SNIPPET_CHARS: usize = 200;

/// Prefix of every page address.
const HOST: &str = "https://corpus.example/page/";

/// A page of the corpus.
pub struct Page {
    pub id: String,
    pub title: String,
    pub text: String,
}

/// The corpus and its index.
pub struct Engine {
    pub pages: Vec<Page>,
    postings: HashMap<String, Vec<(usize, f64)>>,
    norms: Vec<f64>,
    places: HashMap<String, usize>,
    snippet_chars: usize,
}

impl Engine {
    /// Reads a corpus and joins `merge` passages into each page, which keeps the id of its own passage.
    pub fn new(corpus: &str, merge: usize, snippet_chars: usize) -> Result<Self, Box<dyn Error>> {
        let mut pages: Vec<Page> = Vec::new();
        for line in corpus.lines() {
            let passage: Value = serde_json::from_str(line)?;
            let part = |name: &str| passage[name].as_str().unwrap_or_default().to_owned();
            pages.push(Page {
                id: part("id"),
                title: part("title"),
                text: part("text"),
            });
        }
        // Makes pages longer: each page keeps its own passage first and gets the passages of other pages after it.
        let texts: Vec<String> = pages.iter().map(|page| page.text.clone()).collect();
        for (at, page) in pages.iter_mut().enumerate() {
            for step in 1..merge {
                page.text.push(' ');
                page.text.push_str(&texts[(at + step * 977) % texts.len()]);
            }
        }
        let mut postings: HashMap<String, Vec<(usize, f64)>> = HashMap::new();
        let mut lengths = Vec::new();
        for (at, page) in pages.iter().enumerate() {
            let words = adjutant_text::words(&format!("{} {}", page.title, page.text));
            lengths.push(words.len() as f64);
            let mut counts: BTreeMap<String, f64> = BTreeMap::new();
            for word in words {
                *counts.entry(word).or_default() += 1.0;
            }
            for (word, count) in counts {
                postings.entry(word).or_default().push((at, count));
            }
        }
        let average = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
        let norms = lengths
            .iter()
            .map(|length| 1.2 * (0.25 + 0.75 * length / average))
            .collect();
        let places = pages
            .iter()
            .enumerate()
            .map(|(at, page)| (page.id.clone(), at))
            .collect();
        Ok(Self {
            pages,
            postings,
            norms,
            places,
            snippet_chars,
        })
    }

    /// Replaces the texts of pages with those of a file: what an extractor made of pages with navigation and other
    /// furniture around the passages.
    pub fn set_texts(&mut self, texts: &str) -> Result<(), Box<dyn Error>> {
        for line in texts.lines() {
            let page: Value = serde_json::from_str(line)?;
            let at = page["id"].as_str().and_then(|id| self.places.get(id));
            if let (Some(at), Some(text)) = (at, page["text"].as_str()) {
                text.clone_into(&mut self.pages[*at].text);
            }
        }
        Ok(())
    }

    /// Returns the address of a page.
    pub fn address(&self, at: usize) -> String {
        format!("{HOST}{}", self.pages[at].id)
    }

    pub fn open(&self, address: &str) -> Option<&Page> {
        let id = address.strip_prefix(HOST)?;
        self.places.get(id).map(|at| &self.pages[*at])
    }

    /// Returns the pages as the score counts them.
    pub fn whole(&self, ids: &[String]) -> Vec<String> {
        ids.to_vec()
    }

    fn idf(&self, word: &str) -> f64 {
        let holders = self.postings.get(word).map_or(0, Vec::len) as f64;
        (1.0 + (self.pages.len() as f64 - holders + 0.5) / (holders + 0.5)).ln()
    }

    pub fn search(&self, query: &str, limit: usize) -> Vec<usize> {
        let words: BTreeSet<String> = adjutant_text::words(query).into_iter().collect();
        let mut scores: HashMap<usize, f64> = HashMap::new();
        for word in &words {
            let idf = self.idf(word);
            for (at, count) in self.postings.get(word).into_iter().flatten() {
                *scores.entry(*at).or_default() += idf * count * 2.2 / (count + self.norms[*at]);
            }
        }
        let mut ranked: Vec<(usize, f64)> = scores.into_iter().collect();
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        ranked.into_iter().take(limit).map(|(at, _)| at).collect()
    }

    /// Returns the window of the text with the rarest words of the query.
    pub fn snippet(&self, query: &str, at: usize) -> String {
        let text: Vec<char> = self.pages[at].text.chars().collect();
        if text.len() <= self.snippet_chars {
            return text.into_iter().collect();
        }
        let wanted: BTreeSet<String> = adjutant_text::words(query).into_iter().collect();
        let mut best = (-1.0, String::new());
        for start in (0..text.len())
            .filter(|at| *at == 0 || text[at - 1] == ' ')
            .step_by(3)
        {
            let window: String = text[start..(start + self.snippet_chars).min(text.len())]
                .iter()
                .collect();
            let shown: BTreeSet<String> = adjutant_text::words(&window).into_iter().collect();
            let value: f64 = shown.intersection(&wanted).map(|word| self.idf(word)).sum();
            if value > best.0 + 1e-9 {
                best = (value, window);
            }
        }
        best.1
    }
}
