//! Mirrors the role tables of WAI-ARIA 1.2 and its 1.3 draft, DPUB-ARIA 1.1 and WAI-ARIA Graphics 1.0.
//!
//! One row a role: its name, its superclasses, and three traits of its "Characteristics" table.

/// How a role's table says that names come about and that children are exposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trait {
    /// "Name From: contents" stands in the table.
    Content,
    /// "Children Presentational: True" stands in the table.
    Flat,
    /// The role is abstract: authors must not use it.
    Abstract,
}
use Trait::{Abstract, Content, Flat};

macro_rules! roles {
    ($($(#[$doc:meta])* $variant:ident $name:literal [$($parent:ident)*] [$($mark:ident)*])*) => {
        /// A role of an element.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Role {
            /// No role at all: text, and elements that no standard maps to a role and that group nothing (`br`).
            NoRole,
            $($(#[$doc])* $variant,)*
        }

        impl Role {
            /// Every role but [`Role::NoRole`], abstract ones too.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name as computed-role queries give it; empty for [`Role::NoRole`].
            pub fn as_str(self) -> &'static str {
                match self {
                    Self::NoRole => "",
                    $(Self::$variant => $name,)*
                }
            }

            /// The roles this one directly specialises.
            pub fn superclasses(self) -> &'static [Self] {
                match self {
                    Self::NoRole => &[],
                    $(Self::$variant => &[$(Self::$parent),*],)*
                }
            }

            fn marks(self) -> &'static [Trait] {
                match self {
                    Self::NoRole => &[],
                    $(Self::$variant => &[$($mark),*],)*
                }
            }
        }
    };
}

roles! {
    /// `alert`
    Alert "alert" [Section] []
    /// `alertdialog`
    Alertdialog "alertdialog" [Alert Dialog] []
    /// `application`
    Application "application" [Structure] []
    /// `article`
    Article "article" [Document] []
    /// `banner`
    Banner "banner" [Landmark] []
    /// `blockquote`
    Blockquote "blockquote" [Section] []
    /// `button`
    Button "button" [Command] [Content Flat]
    /// `caption`
    Caption "caption" [Section] []
    /// `cell`
    Cell "cell" [Section] [Content]
    /// `checkbox`
    Checkbox "checkbox" [Input] [Content Flat]
    /// `code`
    Code "code" [Section] []
    /// `columnheader`
    Columnheader "columnheader" [Cell Gridcell Sectionhead] [Content]
    /// `combobox`
    Combobox "combobox" [Input] []
    /// `comment`
    Comment "comment" [Article] [Content]
    /// `complementary`
    Complementary "complementary" [Landmark] []
    /// `contentinfo`
    Contentinfo "contentinfo" [Landmark] []
    /// `definition`
    Definition "definition" [Section] []
    /// `deletion`
    Deletion "deletion" [Section] []
    /// `dialog`
    Dialog "dialog" [Window] []
    /// `document`
    Document "document" [Structure] []
    /// `emphasis`
    Emphasis "emphasis" [Section] []
    /// `feed`
    Feed "feed" [List] []
    /// `figure`
    Figure "figure" [Section] []
    /// `form`
    Form "form" [Landmark] []
    /// `generic`
    Generic "generic" [Structure] []
    /// `grid`
    Grid "grid" [Composite Table] []
    /// `gridcell`
    Gridcell "gridcell" [Cell Widget] [Content]
    /// `group`
    Group "group" [Section] []
    /// `heading`
    Heading "heading" [Sectionhead] [Content]
    /// `img`, which the 1.3 draft also calls `image`
    Image "img" [Section] [Flat]
    /// `insertion`
    Insertion "insertion" [Section] []
    /// `link`
    Link "link" [Command] [Content]
    /// `list`
    List "list" [Section] []
    /// `listbox`
    Listbox "listbox" [Select] []
    /// `listitem`
    Listitem "listitem" [Section] []
    /// `log`
    Log "log" [Section] []
    /// `main`
    Main "main" [Landmark] []
    /// `mark`
    Mark "mark" [Section] []
    /// `marquee`
    Marquee "marquee" [Section] []
    /// `math`
    Math "math" [Section] []
    /// `menu`
    Menu "menu" [Select] []
    /// `menubar`
    Menubar "menubar" [Menu] []
    /// `menuitem`
    Menuitem "menuitem" [Command] [Content]
    /// `menuitemcheckbox`
    Menuitemcheckbox "menuitemcheckbox" [Menuitem] [Content Flat]
    /// `menuitemradio`
    Menuitemradio "menuitemradio" [Menuitem] [Content Flat]
    /// `meter`
    Meter "meter" [Range] [Flat]
    /// `navigation`
    Navigation "navigation" [Landmark] []
    /// `none`
    None "none" [Structure] []
    /// `note`
    Note "note" [Section] []
    /// `option`
    Option "option" [Input] [Content Flat]
    /// `paragraph`
    Paragraph "paragraph" [Section] []
    /// `progressbar`
    Progressbar "progressbar" [Range] [Flat]
    /// `radio`
    Radio "radio" [Input] [Content Flat]
    /// `radiogroup`
    Radiogroup "radiogroup" [Select] []
    /// `region`
    Region "region" [Landmark] []
    /// `row`
    Row "row" [Group Widget] [Content]
    /// `rowgroup`
    Rowgroup "rowgroup" [Structure] []
    /// `rowheader`
    Rowheader "rowheader" [Cell Gridcell Sectionhead] [Content]
    /// `scrollbar`
    Scrollbar "scrollbar" [Range] [Flat]
    /// `search`
    Search "search" [Landmark] []
    /// `searchbox`
    Searchbox "searchbox" [Textbox] []
    /// `sectionfooter`
    Sectionfooter "sectionfooter" [Section] []
    /// `sectionheader`
    Sectionheader "sectionheader" [Section] []
    /// `separator`
    Separator "separator" [Structure] [Flat]
    /// `slider`
    Slider "slider" [Input Range] [Flat]
    /// `spinbutton`
    Spinbutton "spinbutton" [Composite Input Range] []
    /// `status`
    Status "status" [Section] []
    /// `strong`
    Strong "strong" [Section] []
    /// `subscript`
    Subscript "subscript" [Section] []
    /// `suggestion`
    Suggestion "suggestion" [Section] []
    /// `superscript`
    Superscript "superscript" [Section] []
    /// `switch`
    Switch "switch" [Checkbox] [Content Flat]
    /// `tab`
    Tab "tab" [Sectionhead Widget] [Content Flat]
    /// `table`
    Table "table" [Section] []
    /// `tablist`
    Tablist "tablist" [Composite] []
    /// `tabpanel`
    Tabpanel "tabpanel" [Section] []
    /// `term`
    Term "term" [Section] []
    /// `textbox`
    Textbox "textbox" [Input] []
    /// `time`
    Time "time" [Section] []
    /// `timer`
    Timer "timer" [Status] []
    /// `toolbar`
    Toolbar "toolbar" [Group] []
    /// `tooltip`
    Tooltip "tooltip" [Section] [Content]
    /// `tree`
    Tree "tree" [Select] []
    /// `treegrid`
    Treegrid "treegrid" [Grid Tree] []
    /// `treeitem`
    Treeitem "treeitem" [Listitem Option] [Content]
    /// `command`
    Command "command" [Widget] [Abstract]
    /// `composite`
    Composite "composite" [Widget] [Abstract]
    /// `input`
    Input "input" [Widget] [Abstract]
    /// `landmark`
    Landmark "landmark" [Section] [Abstract]
    /// `range`
    Range "range" [Widget] [Abstract]
    /// `roletype`
    Roletype "roletype" [] [Abstract]
    /// `section`
    Section "section" [Structure] [Abstract]
    /// `sectionhead`
    Sectionhead "sectionhead" [Structure] [Abstract]
    /// `select`
    Select "select" [Composite Group] [Abstract]
    /// `structure`
    Structure "structure" [Roletype] [Abstract]
    /// `widget`
    Widget "widget" [Roletype] [Abstract]
    /// `window`
    Window "window" [Roletype] [Abstract]
    /// `doc-abstract`
    DocAbstract "doc-abstract" [Section] []
    /// `doc-acknowledgments`
    DocAcknowledgments "doc-acknowledgments" [Landmark] []
    /// `doc-afterword`
    DocAfterword "doc-afterword" [Landmark] []
    /// `doc-appendix`
    DocAppendix "doc-appendix" [Landmark] []
    /// `doc-backlink`
    DocBacklink "doc-backlink" [Link] [Content]
    /// `doc-biblioentry`
    DocBiblioentry "doc-biblioentry" [Listitem] []
    /// `doc-bibliography`
    DocBibliography "doc-bibliography" [Landmark] []
    /// `doc-biblioref`
    DocBiblioref "doc-biblioref" [Link] [Content]
    /// `doc-chapter`
    DocChapter "doc-chapter" [Landmark] []
    /// `doc-colophon`
    DocColophon "doc-colophon" [Section] []
    /// `doc-conclusion`
    DocConclusion "doc-conclusion" [Landmark] []
    /// `doc-cover`
    DocCover "doc-cover" [Image] [Flat]
    /// `doc-credit`
    DocCredit "doc-credit" [Section] []
    /// `doc-credits`
    DocCredits "doc-credits" [Landmark] []
    /// `doc-dedication`
    DocDedication "doc-dedication" [Section] []
    /// `doc-endnote`
    DocEndnote "doc-endnote" [Listitem] []
    /// `doc-endnotes`
    DocEndnotes "doc-endnotes" [Landmark] []
    /// `doc-epigraph`
    DocEpigraph "doc-epigraph" [Section] []
    /// `doc-epilogue`
    DocEpilogue "doc-epilogue" [Landmark] []
    /// `doc-errata`
    DocErrata "doc-errata" [Landmark] []
    /// `doc-example`
    DocExample "doc-example" [Section] []
    /// `doc-footnote`
    DocFootnote "doc-footnote" [Section] []
    /// `doc-foreword`
    DocForeword "doc-foreword" [Landmark] []
    /// `doc-glossary`
    DocGlossary "doc-glossary" [Landmark] []
    /// `doc-glossref`
    DocGlossref "doc-glossref" [Link] [Content]
    /// `doc-index`
    DocIndex "doc-index" [Navigation] []
    /// `doc-introduction`
    DocIntroduction "doc-introduction" [Landmark] []
    /// `doc-noteref`
    DocNoteref "doc-noteref" [Link] [Content]
    /// `doc-notice`
    DocNotice "doc-notice" [Note] []
    /// `doc-pagebreak`
    DocPagebreak "doc-pagebreak" [Separator] [Flat]
    /// `doc-pagefooter`
    DocPagefooter "doc-pagefooter" [Section] []
    /// `doc-pageheader`
    DocPageheader "doc-pageheader" [Section] []
    /// `doc-pagelist`
    DocPagelist "doc-pagelist" [Navigation] []
    /// `doc-part`
    DocPart "doc-part" [Landmark] []
    /// `doc-preface`
    DocPreface "doc-preface" [Landmark] []
    /// `doc-prologue`
    DocPrologue "doc-prologue" [Landmark] []
    /// `doc-pullquote`
    DocPullquote "doc-pullquote" [None] []
    /// `doc-qna`
    DocQna "doc-qna" [Section] []
    /// `doc-subtitle`
    DocSubtitle "doc-subtitle" [Sectionhead] [Content]
    /// `doc-tip`
    DocTip "doc-tip" [Note] []
    /// `doc-toc`
    DocToc "doc-toc" [Navigation] []
    /// `graphics-document`
    GraphicsDocument "graphics-document" [Document] []
    /// `graphics-object`
    GraphicsObject "graphics-object" [Group] []
    /// `graphics-symbol`
    GraphicsSymbol "graphics-symbol" [Image] [Flat]
}

impl Role {
    /// The role of one token of a `role` attribute, compared without regard to ASCII case. Synonyms come out as the name
    /// that computed-role queries prefer (`image` as `img`, `presentation` as `none`, `directory` as `list`). `None` for
    /// abstract and unknown roles.
    pub fn parse(token: &str) -> Option<Self> {
        if token.eq_ignore_ascii_case("image") {
            return Some(Self::Image);
        }
        if token.eq_ignore_ascii_case("presentation") {
            return Some(Self::None);
        }
        if token.eq_ignore_ascii_case("directory") {
            return Some(Self::List);
        }
        Self::ALL
            .iter()
            .copied()
            .find(|role| !role.is_abstract() && role.as_str().eq_ignore_ascii_case(token))
    }

    /// The role takes its name from its content.
    pub fn name_from_content(self) -> bool {
        self.marks().contains(&Content)
    }

    /// Descendants are part of the picture only, without roles of their own.
    pub fn is_presentational_children(self) -> bool {
        self.marks().contains(&Flat)
    }

    /// Only a class of roles, not for authors.
    pub fn is_abstract(self) -> bool {
        self.marks().contains(&Abstract)
    }

    /// `banner`, `main`, `navigation`, `region` and the like.
    pub fn is_landmark(self) -> bool {
        self != Self::Landmark && self.is_a(Self::Landmark)
    }

    /// This role, or a specialisation of it at any depth.
    pub fn is_a(self, class: Self) -> bool {
        self == class || self.superclasses().iter().any(|parent| parent.is_a(class))
    }

    /// WAI-ARIA 1.2 "Roles which cannot be named": authors must not name it, and a tooltip only describes it.
    pub fn is_name_prohibited(self) -> bool {
        matches!(
            self,
            Self::Caption
                | Self::Code
                | Self::Deletion
                | Self::Emphasis
                | Self::Generic
                | Self::Insertion
                | Self::Mark
                | Self::None
                | Self::Paragraph
                | Self::Strong
                | Self::Subscript
                | Self::Suggestion
                | Self::Superscript
        )
    }

    /// Not told as anything: `generic`, `none`, or no role.
    pub fn is_transparent(self) -> bool {
        matches!(self, Self::NoRole | Self::Generic | Self::None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_fold_case_and_synonyms_and_abstract_roles_are_none() {
        let cases = [
            ("Button", Some(Role::Button)),
            ("IMG", Some(Role::Image)),
            ("presentation", Some(Role::None)),
            ("directory", Some(Role::List)),
            ("doc-toc", Some(Role::DocToc)),
            ("graphics-symbol", Some(Role::GraphicsSymbol)),
            ("widget", None),
            ("", None),
            ("button\u{303}", None),
        ];
        for (token, expected) in cases {
            assert_eq!(Role::parse(token), expected, "{token}");
        }
    }

    #[test]
    fn classes_are_found_at_any_depth() {
        assert!(Role::Treegrid.is_a(Role::Table) && Role::Switch.is_a(Role::Widget));
        assert!(Role::Region.is_landmark() && Role::DocToc.is_landmark());
        assert!(!Role::Landmark.is_landmark() && !Role::Button.is_landmark());
    }

    #[test]
    fn every_name_is_given_once_and_parses_back() {
        for role in Role::ALL {
            let back = Role::parse(role.as_str());
            assert_eq!(back, (!role.is_abstract()).then_some(*role), "{role:?}");
        }
    }
}
