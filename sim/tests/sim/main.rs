//! The simulated browser through its port.

#[cfg(test)]
mod act;
#[cfg(test)]
mod any_page;
#[cfg(test)]
mod capture;
#[cfg(test)]
mod drive;
#[cfg(test)]
mod geometry;
#[cfg(test)]
mod network;
#[cfg(test)]
mod settle;
#[cfg(test)]
mod toolkit;
#[cfg(test)]
mod toolkit_rules;
#[cfg(test)]
mod world;
