/** How a program that runs another is called: what stands before the other's name. */
export interface Wrapper {
  /** Short options that take a word of their own. */
  readonly short: string
  /** Long ones, separated by blanks. */
  readonly long?: string
  /** Words of its own before the other's name. */
  readonly operands?: number
  /** `NAME=value` words may stand before the other's name. */
  readonly assigns?: boolean
}

const sudo: Wrapper = {
  short: "CDghpRrTtUu", assigns: true,
  long: "--user --group --host --prompt --chdir --chroot --role --type --close-from --other-user --command-timeout"
}
const plain: Wrapper = { short: "" }

/** Programs (and words of shells) that run the command behind them. */
export const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ["sudo", sudo],
  ["doas", { short: "Cu" }],
  ["env", { short: "uCS", long: "--unset --chdir --split-string", assigns: true }],
  ["exec", { short: "a" }],
  ["time", { short: "fo", long: "--format --output" }],
  ["nice", { short: "n", long: "--adjustment" }],
  ["ionice", { short: "cnpPu", long: "--class --classdata" }],
  ["stdbuf", { short: "ioe", long: "--input --output --error" }],
  ["timeout", { short: "ks", long: "--kill-after --signal", operands: 1 }],
  ["gtimeout", { short: "ks", long: "--kill-after --signal", operands: 1 }],
  ["xargs", { short: "aEILPnsdRS", long: "--arg-file --delimiter --max-args --max-procs --max-chars --max-lines" }],
  ["chroot", { short: "", operands: 1 }],
  ["taskset", { short: "", operands: 1 }],
  ["chrt", { short: "TPD", operands: 1 }],
  ["flock", { short: "wE", long: "--timeout --wait --conflict-exit-code", operands: 1 }],
  ["strace", { short: "abeEIoOpPsSuUX" }],
  ["ltrace", { short: "aAeFlnoOpsSuwx" }],
  ["repeat", { short: "", operands: 1 }],
  ["gosu", { short: "", operands: 1 }],
  ["su-exec", { short: "", operands: 1 }],
  ["setuidgid", { short: "", operands: 1 }],
  ["faketime", { short: "f", operands: 1 }],
  ["firejail", plain], ["caffeinate", { short: "tw" }], ["proxychains", { short: "f" }],
  ...[
    "command", "builtin", "nohup", "setsid", "unbuffer", "noglob", "nocorrect", "-", "and", "or", "not", "begin", "coproc", "busybox", "toybox",
    "fakeroot", "torsocks", "torify", "rlwrap", "winpty", "ltrace", "catchsegv", "eatmydata", "cgexec", "dbus-run-session", "setarch", "linux64"
  ].map((name) => [name, plain] as const)
])

/** Shells, which take a command line behind `-c` or on their input. */
export const shells: ReadonlySet<string> = new Set([
  "sh", "bash", "dash", "zsh", "ksh", "ksh93", "mksh", "ash", "fish", "yash", "rbash", "rksh", "csh", "tcsh", "pwsh", "nu", "xonsh", "elvish"
])

/** Programs that run commands which they read on their input. */
export const inputRunners: ReadonlySet<string> = new Set(["parallel", "rush", "at", "batch", "crontab"])

/** Programs that may run a command named somewhere in their arguments or in code given to them. */
export const carriers: ReadonlySet<string> = new Set([
  ...wrappers.keys(), ...shells, ...inputRunners,
  "awk", "gawk", "mawk", "nawk", "sed", "gsed", "python", "perl", "ruby", "node", "nodejs", "php", "lua", "luajit", "tclsh", "wish", "expect",
  "osascript", "deno", "bun", "tsx", "ts-node", "groovy", "scala", "jshell", "Rscript", "R", "julia", "guile", "racket", "sbcl", "emacs",
  "vi", "vim", "nvim", "view", "ex", "ed", "gdb", "lldb", "m4", "make", "gmake", "ninja", "just", "task", "rake", "cmake", "bazel",
  "find", "gfind", "fd", "fdfind", "rg", "tar", "gtar", "bsdtar", "rsync", "zip", "cpio", "split", "sort", "man", "less", "more",
  "ssh", "scp", "sftp", "mosh", "rsh", "docker", "podman", "nerdctl", "kubectl", "oc", "lxc", "incus", "vagrant", "multipass", "adb", "wsl",
  "distrobox", "toolbox", "flatpak", "nsenter", "unshare", "systemd-run", "systemd-nspawn", "machinectl", "runuser", "su", "pkexec", "run0",
  "nix", "nix-shell", "guix", "npx", "bunx", "pnpx", "npm", "pnpm", "yarn", "uv", "uvx", "poetry", "pipenv", "hatch", "pdm", "rye", "bundle",
  "mise", "asdf", "direnv", "rbenv", "pyenv", "conda", "mamba", "dotenv", "op", "aws-vault", "envdir", "chpst", "softlimit", "script",
  "tmux", "screen", "zellij", "dtach", "watch", "watchexec", "entr", "nodemon", "concurrently", "hyperfine", "perf", "valgrind", "numactl",
  "socat", "nc", "ncat", "netcat", "xterm", "start", "open", "xdg-open", "gnome-terminal", "dialog", "hash", "enable", "bind", "complete",
  "compgen", "fc", "ln", "cp", "mv", "install", "gcc", "cc", "g++", "clang", "ip", "logrotate", "run-parts", "parallel", "sem", "psql",
  "mysql", "sqlite3", "ftp", "gh", "glab", "pre-commit", "tox", "nox", "ansible", "salt", "puppet", "export", "declare", "typeset", "readonly",
  "local", "set", "setenv", "autoload", "emulate", "zle", "add-zsh-hook", "sched", "zmodload"
])

/** Options and verbs with which git runs a command of its caller's. */
export const gitCarries: ReadonlySet<string> = new Set([
  "-c", "--config-env", "config", "alias", "foreach", "bisect", "filter-branch", "-x", "--exec", "--upload-pack", "--receive-pack", "difftool",
  "mergetool", "--extcmd", "-O", "--open-files-in-pager", "hook", "archive", "send-email"
])

/** `python3.12` is `python`. */
export const withoutVersion = (program: string): string => program.replace(/(?<=[A-Za-z])[-\d][\d.]*$/, "")
