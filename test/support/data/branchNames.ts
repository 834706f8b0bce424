/** Names that git takes for a branch. */
export const goodBranches = ["a", "feature/x", "größe/日本語", "🚀", "a.b", "a@b", "#1", "a'b\"c", "a{b}"]

/** Names that it refuses. */
export const badBranches = [
  "",
  " ",
  "a b",
  "-a",
  "a..b",
  "a~b",
  "a^b",
  "a:b",
  "a?b",
  "a*b",
  "a[b",
  "a\\b",
  "a\tb",
  "a\u007fb",
  "/a",
  "a/",
  "a//b",
  ".a",
  "a/.b",
  "a.lock",
  "a.lock/b",
  "a.",
  "@{-1}",
  "a@{b",
  "HEAD"
]
