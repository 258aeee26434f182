//! Regular expressions as `pattern` gives them: those of ECMAScript with the `v` flag, matched against a whole value.
//!
//! SIM DIFFERENCE: look-behind, back references, `\p{…}` and set operations of classes are not understood; such a pattern holds
//! for every value, as an invalid one does.

/// Most steps of one match: a pattern that backtracks without end holds.
const STEPS_MAX: u32 = 200_000;

type Ranges = Vec<(char, char)>;

#[derive(Debug, Clone)]
enum Node {
    /// One character of these, or none of them.
    Class {
        ranges: Vec<(char, char)>,
        negated: bool,
    },
    /// Any character but a line's end.
    Any,
    Start,
    End,
    /// Between a word character and another.
    Edge(bool),
    Either(Vec<Vec<Node>>),
    Repeat {
        of: Box<Node>,
        least: usize,
        most: usize,
        lazy: bool,
    },
    /// Something ahead that must be there, or must not.
    Ahead(Vec<Vec<Node>>, bool),
}

/// Whether a pattern holds for a value; `None` for a pattern that is not understood.
pub(super) fn holds(pattern: &str, value: &str) -> Option<bool> {
    let characters: Vec<char> = pattern.chars().collect();
    let mut parser = Parser { characters: &characters, at: 0, depth: 0 };
    let tree = parser.alternatives()?;
    if parser.at < characters.len() {
        return None;
    }
    let whole = [Node::Either(tree), Node::End];
    let value: Vec<char> = value.chars().collect();
    let mut matcher = Matcher { value: &value, steps: 0 };
    let found = matcher.sequence(&whole, 0, &mut |at| at == value.len());
    (matcher.steps < STEPS_MAX).then_some(found)
}

struct Parser<'a> {
    characters: &'a [char],
    at: usize,
    depth: u32,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn eat(&mut self, wanted: &str) -> bool {
        let found =
            self.characters[self.at..].iter().take(wanted.len()).collect::<String>() == wanted;
        if found {
            self.at += wanted.len();
        }
        found
    }

    fn alternatives(&mut self) -> Option<Vec<Vec<Node>>> {
        self.depth += 1;
        if self.depth > 50 {
            return None;
        }
        let mut all = vec![Vec::new()];
        while let Some(next) = self.peek() {
            match next {
                ')' => break,
                '|' => {
                    self.at += 1;
                    all.push(Vec::new());
                }
                _ => {
                    let node = self.repeated()?;
                    all.last_mut()?.push(node);
                }
            }
        }
        self.depth -= 1;
        Some(all)
    }

    fn repeated(&mut self) -> Option<Node> {
        let node = self.atom()?;
        let (least, most) = match self.peek() {
            Some('*') => (0, usize::MAX),
            Some('+') => (1, usize::MAX),
            Some('?') => (0, 1),
            Some('{') => return self.counted(node),
            _ => return Some(node),
        };
        self.at += 1;
        let lazy = self.eat("?");
        Some(Node::Repeat { of: Box::new(node), least, most, lazy })
    }

    fn counted(&mut self, node: Node) -> Option<Node> {
        self.at += 1;
        let least = self.number()?;
        let most = match self.eat(",") {
            false => least,
            true if self.peek() == Some('}') => usize::MAX,
            true => self.number()?,
        };
        if !self.eat("}") || most < least {
            return None;
        }
        let lazy = self.eat("?");
        Some(Node::Repeat { of: Box::new(node), least, most, lazy })
    }

    fn number(&mut self) -> Option<usize> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        self.characters[start..self.at].iter().collect::<String>().parse().ok()
    }

    fn atom(&mut self) -> Option<Node> {
        let next = self.peek()?;
        self.at += 1;
        Some(match next {
            '.' => Node::Any,
            '^' => Node::Start,
            '$' => Node::End,
            '(' => self.group()?,
            '[' => self.class()?,
            '\\' => match self.peek()? {
                'b' | 'B' => {
                    self.at += 1;
                    Node::Edge(self.characters[self.at - 1] == 'b')
                }
                _ => self.escaped()?,
            },
            '*' | '+' | '?' | '{' | '}' | ']' => return None,
            c => one(c),
        })
    }

    fn group(&mut self) -> Option<Node> {
        let ahead = match (self.eat("?="), self.eat("?!")) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        if ahead.is_none() && !self.eat("?:") && self.eat("?<") {
            // A named group; look-behind begins alike.
            while self.peek()?.is_alphanumeric() {
                self.at += 1;
            }
            if !self.eat(">") {
                return None;
            }
        }
        let inside = self.alternatives()?;
        if !self.eat(")") {
            return None;
        }
        Some(match ahead {
            Some(wanted) => Node::Ahead(inside, wanted),
            None => Node::Either(inside),
        })
    }

    fn escaped(&mut self) -> Option<Node> {
        let next = self.peek()?;
        self.at += 1;
        let digits = vec![('0', '9')];
        let word = vec![('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')];
        let space = vec![('\t', '\r'), (' ', ' '), ('\u{a0}', '\u{a0}'), ('\u{2000}', '\u{200a}')];
        let class = |ranges, negated| Node::Class { ranges, negated };
        Some(match next {
            'd' => class(digits, false),
            'D' => class(digits, true),
            'w' => class(word, false),
            'W' => class(word, true),
            's' => class(space, false),
            'S' => class(space, true),
            'n' => one('\n'),
            'r' => one('\r'),
            't' => one('\t'),
            'x' => one(self.code(2)?),
            'u' => one(self.code(4)?),
            c if c.is_alphanumeric() => return None,
            c => one(c),
        })
    }

    fn code(&mut self, digits: usize) -> Option<char> {
        let text: String = self.characters.get(self.at..self.at + digits)?.iter().collect();
        self.at += digits;
        char::from_u32(u32::from_str_radix(&text, 16).ok()?)
    }

    fn class(&mut self) -> Option<Node> {
        let negated = self.eat("^");
        let mut ranges = Vec::new();
        while self.peek()? != ']' {
            let (first, more) = self.member()?;
            ranges.extend(more);
            if self.peek() == Some('-') && self.characters.get(self.at + 1) != Some(&']') {
                self.at += 1;
                let (last, _) = self.member()?;
                let (first, last) = (first?, last?);
                ranges.pop();
                if last < first {
                    return None;
                }
                ranges.push((first, last));
            }
        }
        self.at += 1;
        Some(Node::Class { ranges, negated })
    }

    /// One member of a class: its character, if it is one, and what it stands for.
    fn member(&mut self) -> Option<(Option<char>, Ranges)> {
        let next = self.peek()?;
        self.at += 1;
        match next {
            '\\' => match self.escaped()? {
                Node::Class { ranges, negated: false } => {
                    let single = ranges.first().filter(|(a, b)| ranges.len() == 1 && a == b);
                    Some((single.map(|(c, _)| *c), ranges))
                }
                _ => None,
            },
            '[' | '&' | '(' | ')' | '{' | '}' | '/' | '|' => None,
            c => Some((Some(c), vec![(c, c)])),
        }
    }
}

fn one(c: char) -> Node {
    Node::Class { ranges: vec![(c, c)], negated: false }
}

struct Matcher<'a> {
    value: &'a [char],
    steps: u32,
}

impl Matcher<'_> {
    fn sequence(&mut self, nodes: &[Node], at: usize, then: &mut dyn FnMut(usize) -> bool) -> bool {
        self.steps += 1;
        if self.steps >= STEPS_MAX {
            return false;
        }
        let Some((first, rest)) = nodes.split_first() else { return then(at) };
        let is_word = |at: Option<usize>| {
            let c = at.and_then(|at| self.value.get(at));
            c.is_some_and(|c| c.is_ascii_alphanumeric() || *c == '_')
        };
        match first {
            Node::Class { ranges, negated } => match self.value.get(at) {
                Some(c) if ranges.iter().any(|(a, b)| a <= c && c <= b) != *negated => {
                    self.sequence(rest, at + 1, then)
                }
                _ => false,
            },
            Node::Any => match self.value.get(at) {
                Some('\n' | '\r' | '\u{2028}' | '\u{2029}') | None => false,
                Some(_) => self.sequence(rest, at + 1, then),
            },
            Node::Start => at == 0 && self.sequence(rest, at, then),
            Node::End => at == self.value.len() && self.sequence(rest, at, then),
            Node::Edge(wanted) => {
                (is_word(at.checked_sub(1)) != is_word(Some(at))) == *wanted
                    && self.sequence(rest, at, then)
            }
            Node::Either(all) => all.iter().any(|one| {
                let whole: Vec<Node> = one.iter().chain(rest).cloned().collect();
                self.sequence(&whole, at, then)
            }),
            Node::Ahead(all, wanted) => {
                let found = all.iter().any(|one| self.sequence(one, at, &mut |_| true));
                found == *wanted && self.sequence(rest, at, then)
            }
            Node::Repeat { of, least, most, lazy } => {
                let again = |matcher: &mut Self, then: &mut dyn FnMut(usize) -> bool| {
                    if *most == 0 {
                        return false;
                    }
                    let less = Node::Repeat {
                        of: of.clone(),
                        least: least.saturating_sub(1),
                        most: if *most == usize::MAX { *most } else { most - 1 },
                        lazy: *lazy,
                    };
                    let one = [(**of).clone()];
                    let mut ends = Vec::new();
                    // What takes nothing would be repeated for ever.
                    matcher.sequence(&one, at, &mut |end| {
                        if end > at || *least > 0 {
                            ends.push(end);
                        }
                        false
                    });
                    let whole: Vec<Node> =
                        std::iter::once(less).chain(rest.iter().cloned()).collect();
                    ends.into_iter().any(|end| matcher.sequence(&whole, end, then))
                };
                if *least > 0 {
                    return again(self, then);
                }
                if *lazy {
                    return self.sequence(rest, at, then) || again(self, then);
                }
                again(self, then) || self.sequence(rest, at, then)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::holds;

    #[test]
    fn patterns_hold_for_whole_values() {
        for (pattern, value, wanted) in [
            ("[a-z]+", "abc", Some(true)),
            ("[a-z]+", "abc1", Some(false)),
            ("a|b", "b", Some(true)),
            ("a|b", "ab", Some(false)),
            (r"\d{3}-\d{4}", "555-1234", Some(true)),
            (r"\d{3}-\d{4}", "555-123", Some(false)),
            (r"(?=.*\d)(?=.*[A-Z]).{4,}", "abC1", Some(true)),
            (r"(?=.*\d)(?=.*[A-Z]).{4,}", "abcd", Some(false)),
            (r"[^@\s]+@[^@\s]+\.[a-z]{2,}", "a@b.de", Some(true)),
            ("(?:ab)*?c", "ababc", Some(true)),
            ("(a*)*", "aaab", Some(false)),
            ("^x$", "x", Some(true)),
            (r"\u0041\x42", "AB", Some(true)),
            ("", "", Some(true)),
            ("[", "x", None),
            ("(?<!a)b", "b", None),
            (r"\p{L}", "x", None),
        ] {
            assert_eq!(holds(pattern, value), wanted, "{pattern} of {value}");
        }
    }

    #[test]
    fn a_pattern_that_never_ends_is_given_up() {
        assert_eq!(holds("(a|aa)+(a|aa)+(a|aa)+b", &"a".repeat(200)), None);
    }
}
