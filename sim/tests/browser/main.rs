//! The one tool `browser` over the simulated browser.

#[cfg(test)]
mod act;
#[cfg(test)]
mod batch;
#[cfg(test)]
mod client;
#[cfg(test)]
mod forgery;
#[cfg(test)]
mod read;
#[cfg(test)]
mod refs;
#[cfg(test)]
mod tabs;
#[cfg(test)]
mod verdicts;
