//! Patterns of locators, run in a realm of their own: what a body does to `RegExp` does not reach them, and the run's limits hold.

use backlot_core::locate::Patterns;
use rquickjs::{CatchResultExt, Context, Ctx, Function, Persistent, Runtime};
use std::cell::RefCell;

/// Compiles a pattern once and keeps it; `lastIndex` must not carry over.
const FINDS: &str = "(function () {
    const kept = new Map();
    return function (source, flags, text) {
        const key = flags + '/' + source;
        let pattern = kept.get(key);
        if (!pattern) kept.set(key, pattern = new RegExp(source, flags));
        pattern.lastIndex = 0;
        return pattern.test(text);
    };
})()";

/// Runs patterns on a run's runtime.
pub(crate) struct Realm {
    finds: RefCell<Option<Persistent<Function<'static>>>>,
    context: Context,
}

impl Realm {
    pub(crate) fn new(runtime: &Runtime) -> rquickjs::Result<Self> {
        Ok(Self { finds: RefCell::new(None), context: Context::full(runtime)? })
    }

    fn function<'js>(&self, ctx: &Ctx<'js>) -> rquickjs::Result<Function<'js>> {
        let kept = self.finds.borrow().clone();
        if let Some(kept) = kept {
            return kept.restore(ctx);
        }
        let made: Function<'js> = ctx.eval(FINDS)?;
        *self.finds.borrow_mut() = Some(Persistent::save(ctx, made.clone()));
        Ok(made)
    }
}

impl Patterns for Realm {
    fn finds(&self, source: &str, flags: &str, text: &str) -> Result<bool, String> {
        self.context.with(|ctx| {
            let found = self.function(&ctx).and_then(|finds| finds.call((source, flags, text)));
            found.catch(&ctx).map_err(|error| match error {
                rquickjs::CaughtError::Exception(error) => {
                    error.message().unwrap_or_else(|| "it cannot be run".to_owned())
                }
                other => other.to_string(),
            })
        })
    }
}
