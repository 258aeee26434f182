//! The user agent's style sheet: what the HTML standard's rendering section says of HTML elements, with Chromium's sizes of
//! form controls.

/// Every selector here is of one element; none depends on the page's own sheets.
pub(crate) const SHEET: &str = r#"
address, article, aside, blockquote, body, center, dd, details, dialog, dir, div, dl, dt, fieldset, figcaption, figure,
footer, form, frameset, frame, h1, h2, h3, h4, h5, h6, header, hgroup, hr, html, legend, listing, main, menu, nav, ol,
optgroup, option, p, plaintext, pre, search, section, ul, xmp { display: block }
area, base, basefont, datalist, head, link, meta, noembed, noframes, param, rp, script, style, template, title {
  display: none }
slot { display: contents }
li, summary { display: list-item }
ol { list-style-type: decimal }
details > summary:first-of-type { list-style: disclosure-closed inside }
summary { list-style-type: none }
table { display: table; border-spacing: 2px; box-sizing: border-box; text-indent: 0 }
thead, tbody, tfoot { display: table-row-group }
tr { display: table-row }
td, th { display: table-cell; padding: 1px; vertical-align: inherit }
th { text-align: center }
thead, tbody, tfoot, tr { vertical-align: middle }
col, colgroup { display: table-column }
caption { display: table-caption; text-align: center }
ruby { display: ruby }
rt { display: ruby-text; font-size: 50% }
math * { display: block }
svg :is(text, foreignObject) { display: block }
[hidden]:not([hidden=until-found i]), [popover]:not(:popover-open):not(dialog[open]), dialog:not([open]) { display: none }
[hidden=until-found i] { content-visibility: hidden }
embed[hidden] { display: inline; height: 0; width: 0 }
audio:not([controls]) { display: none !important }
input[type=hidden i] { display: none !important }
body { margin: 8px }
p, blockquote, figure, dl, ul, ol, menu, dir, pre, listing, xmp, plaintext { margin-block: 1__qem }
blockquote, figure { margin-inline: 40px }
dd { margin-inline-start: 40px }
ul, ol, menu, dir { padding-inline-start: 40px }
:is(ul, ol, menu, dir, dl) :is(ul, ol, menu, dir, dl) { margin-block: 0 }
h1 { font-size: 2em; margin-block: 0.67__qem }
h2 { font-size: 1.5em; margin-block: 0.83__qem }
h3 { font-size: 1.17em; margin-block: 1__qem }
h4 { margin-block: 1.33__qem }
h5 { font-size: 0.83em; margin-block: 1.67__qem }
h6 { font-size: 0.67em; margin-block: 2.33__qem }
hr { margin-block: 0.5em; border: 1px inset; overflow: hidden }
pre, listing, xmp, plaintext { white-space: pre; font-family: monospace }
code, kbd, samp, tt { font-family: monospace }
nobr { white-space: nowrap }
big { font-size: larger }
small, sub, sup { font-size: smaller }
sub { vertical-align: sub }
sup { vertical-align: super }
center { text-align: center }
a:any-link { cursor: pointer }
label { cursor: default }
fieldset { margin-inline: 2px; border: 2px groove; padding: 0.35em 0.75em 0.625em; min-width: min-content }
legend { padding-inline: 2px }
input, textarea, select, button { display: inline-block; font-size: 13.3333px; line-height: normal; white-space: normal;
  text-align: start; cursor: default; margin: 0 }
input { padding: 1px 2px; border: 2px inset; cursor: text }
textarea { padding: 2px; border: 1px solid; white-space: pre-wrap; cursor: text; overflow: auto }
select { border: 1px solid; box-sizing: border-box; white-space: pre }
select:is([multiple], [size]:not([size=""], [size="0"], [size="1"])) { vertical-align: text-bottom }
option { padding: 0 2px 1px; white-space: nowrap }
button, input:is([type=submit i], [type=reset i], [type=button i]) { padding: 1px 6px; border: 2px outset;
  box-sizing: border-box; text-align: center; cursor: default }
input:is([type=submit i], [type=reset i], [type=button i]) { white-space: pre }
input:is([type=checkbox i], [type=radio i]) { margin: 3px 3px 3px 4px; padding: 0; border: 0; box-sizing: border-box;
  cursor: default }
input[type=radio i] { margin: 3px 3px 0 5px }
input:is([type=date i], [type=time i], [type=datetime-local i], [type=month i], [type=week i]) { padding: 0 0 0 1px;
  cursor: default }
input[type=search i] { box-sizing: border-box }
input[type=range i] { margin: 2px; padding: 0; border: 0; cursor: default }
input[type=color i] { border: 1px solid; box-sizing: border-box; cursor: default }
input[type=file i] { padding: 0; border: 0; cursor: default }
input[type=image i] { padding: 0; border: 0; cursor: pointer }
input:disabled, textarea:disabled { cursor: default }
meter, progress { display: inline-block; box-sizing: border-box; vertical-align: -0.2em }
marquee { display: inline-block; overflow: hidden }
iframe { border: 2px inset }
table[border]:not([border="0"]) { border: 1px outset }
table[border]:not([border="0"]) > :is(tr, thead > tr, tbody > tr, tfoot > tr) > :is(td, th),
table[border]:not([border="0"]) > :is(thead, tbody, tfoot) > tr > :is(td, th) { border: 1px inset }
dialog { position: absolute; inset-inline: 0; margin: auto; width: fit-content; height: fit-content; border: 3px solid;
  padding: 1em }
dialog:modal { position: fixed; inset-block: 0; overflow: auto }
[popover] { position: fixed; inset: 0; margin: auto; width: fit-content; height: fit-content; border: 3px solid;
  padding: 0.25em; overflow: auto }
img, video, canvas { overflow: clip }
:is(td, th)[nowrap] { white-space: nowrap }
[dir=rtl i] { direction: rtl }
[dir=ltr i] { direction: ltr }
[align=center i]:is(p, div, h1, h2, h3, h4, h5, h6, td, th, tr) { text-align: center }
[align=right i]:is(p, div, h1, h2, h3, h4, h5, h6, td, th, tr) { text-align: right }
"#;

/// Added to documents in quirks mode.
pub(crate) const QUIRKS: &str =
    "table { line-height: normal; font-size: medium; text-align: start; white-space: normal }";
