import { forEachName, setOf } from "./Program.ts"

/** How programs search directories, and which of them write to what their words name. */

const searchPrograms = "rg ag ack fd fdfind find gfind"
/** Programs that search whole directories, always or with one of these options. */
export const alwaysRecursive = setOf(`${searchPrograms} tar gtar bsdtar rsync mv 7z tree`)
/** Programs accept abbreviated long options. */
const recursive = /^-[A-Za-z]*[rR]|^--r(?:e|ec.*)?$|^--de/
export const recursiveWithOption: Readonly<Record<string, RegExp>> = {
  ...forEachName("grep egrep fgrep", /^-[A-Za-z]*[rRd]|^--(?:rec|dere|dir)/),
  ...forEachName("rm ls chmod chown chgrp gzip gunzip diff scp zip", recursive),
  cp: /^-[A-Za-z]*[rRa]|^--(?:r(?:$|e?$|ec)|a)/
}
/** With these options they follow links, too. */
export const following: Readonly<Record<string, RegExp>> = {
  ...forEachName("grep egrep fgrep zgrep rgrep", /^-[A-Za-z]*R|^--dere/),
  ...forEachName("rg find gfind ack fd fdfind ls du cp chmod chown chgrp", /^-[\w.]*L|^--?(?:fo|dere)/),
  rsync: /^-[A-Za-z]*[Lk]|^--copy/,
  ag: /^-[A-Za-z]*f|^--fo/,
  tree: /^-[A-Za-z]*l/,
  ...forEachName("tar gtar bsdtar", /^-?[A-Za-z]*[hL]|^--dere/),
  ...forEachName("zip scp diff ctags", recursive),
  ...forEachName("7z jar", /^/)
}
/** With at most this many operands, the program searches its current directory. */
export const maxOperandsForCwd: Readonly<Record<string, number>> = {
  ...forEachName(`${searchPrograms} grep egrep fgrep`, 1),
  ...forEachName("find gfind tree ls du", 0)
}

/** Programs, besides the inert ones, that only read; some write with an argument of `writing`. */
export const readsUnlessOption = setOf(
  `${searchPrograms} redis-cli less more [[ command bat code open export set pushd source . sed awk gawk git yamllint hadolint shellcheck promtool`
)
export const writing: Readonly<Record<string, RegExp>> = {
  ...forEachName("sed yq", /^-[A-Za-z]*i|^--i/),
  xxd: /^[^-]/,
  "redis-cli": /^--(?:rdb|functions-rdb)/,
  find: /^-(?:delete|fprint|fls|exec|ok)/,
  git: /^(?:apply|am|checkout|restore|mv|rm|clean|reset|stash|clone|init|worktree|config|submodule|archive|format-patch)$/
}
export const writers = setOf("cp mv tee install ln rm mkdir rmdir mktemp touch truncate dd patch chmod chown chgrp")
