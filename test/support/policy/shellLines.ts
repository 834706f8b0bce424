/** Generated shell command lines over the programs `a`, `b`, `c`, `rm` and others, rich in syntax. */

/** A small generator of numbers: the same lines from the same seed. */
export const randomBy = (seed: number) => {
  let state = seed >>> 0
  const below = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    // the lower bits repeat soon
    return Math.floor(((state ^ (state >>> 15)) >>> 0) / (2 ** 32 / limit))
  }
  return { below, pick: <A>(from: ReadonlyArray<A>): A => from[below(from.length)]! }
}
type Random = ReturnType<typeof randomBy>

const programs = ["a", "b", "a", "b", "rm", "rm -rf", "c"]
const values = [
  "x",
  "y",
  "1",
  "-v",
  "'q r'",
  '"s"',
  "x\\ y",
  "$v",
  "${v}",
  '"$v"',
  "*",
  "z?",
  "~/x",
  "{p,q}",
  "--",
  "k=v"
]
const odd = [
  "$(rm x)",
  '"$(rm x)"',
  "`rm x`",
  "$\\\n(rm x)",
  '"$\\\n(rm x)"',
  "${ rm x; }",
  "${v:-$(rm x)}",
  "${v:-w}",
  "$((1+2))",
  "$((v))",
  "$(( $(rm x) ))",
  "<(rm x)",
  "'a[$(rm x)]'",
  "$'\\x72m'",
  '$"rm"',
  "!(x)",
  "@(x|y)",
  "=rm",
  "~root",
  "$v[1]",
  "$v[$(rm x)]",
  "${v[$(rm x)]}",
  "{",
  "}",
  "{rm x}",
  "always",
  "(",
  ")",
  "#",
  "x#",
  "[a-b]",
  "[!a]*",
  "$?",
  "$#",
  "$@",
  "$",
  "\\",
  "\\\n",
  "rm",
  "''",
  "[[",
  "]]"
]
const redirections = [
  ">/dev/null",
  "2>&1",
  "2>/dev/null",
  "&>/dev/null",
  "</dev/null",
  ">w",
  ">>w",
  "<in",
  ">&-",
  "2>&-",
  ">&2",
  "<<<x",
  "&>w",
  ">|w",
  "<>in",
  ">&w",
  "<<E\nx\nE\n",
  "<<'E'\n$(rm x)\nE\n",
  "<<E\n$(rm x)\nE\n",
  "<<E\nE\\\nrm x\nE\n",
  "<<E\nx\\\nE\nrm x\nE\n",
  "<<-E\n\tx\n\tE\n",
  '<<"E F"\nx\nE F\n'
]
const builtins = [
  "test -f x",
  "test x -eq 1",
  "test 'a[$(rm x)]' -eq 1",
  "test -v 'a[$(rm x)]'",
  "[ x = y ]",
  "[ 'a[$(rm x)]' -eq 1 ]",
  "[[ -f x ]]",
  "[[ ! -d x ]]",
  "[[ x == y* ]]",
  "[[ x > w ]]",
  "[[ x -eq 'a[$(rm x)]' ]]",
  "[[ a && rm ]]",
  "[[ ( x ) ]]",
  "printf %s x",
  "printf %d 'a[$(rm x)]'",
  "printf -v 'a[$(rm x)]' y",
  "read 'a[$(rm x)]' <<<x",
  "eval 'rm x'",
  "eval a",
  "command a",
  "command -v rm",
  "exec a",
  "export v=rm",
  "unset 'a[$(rm x)]'",
  "let 'a[$(rm x)]'",
  "declare v=rm",
  "set -e",
  "trap 'rm x' EXIT",
  "alias a=rm",
  ": $(rm x)",
  "true",
  "((rm x))",
  "((v=1))",
  "cd .",
  "shift 'a[$(rm x)]'",
  "exit 'a[$(rm x)]'",
  "wait 'a[$(rm x)]'",
  "$v x",
  "$v",
  "'rm' x",
  "r\\m x",
  "r''m x",
  "\\rm x",
  "$'rm' x",
  "$\\\n'rm' x",
  "r\\\nm x",
  "r{m,} x",
  "{rm,x}",
  "r? x",
  "[r]m x",
  "- rm x",
  "noglob rm x",
  "nocorrect rm x",
  "repeat 1 rm x",
  "time a",
  "time -p rm x",
  "! a",
  "coproc rm x",
  "f() { rm x; }; f",
  "function f { a; }",
  "f() rm x",
  "timeout 5 rm x",
  "timeout 5 a",
  "nohup rm x",
  "env rm x",
  "env v=1 a",
  "xargs rm </dev/null",
  "echo x | xargs rm",
  "find . -maxdepth 0 -exec rm {} \\;",
  "find . -maxdepth 0 -exec a {} +",
  "sh -c 'rm x'",
  "sh -c a",
  'sh -c "$v"',
  "sh <<E\nrm x\nE\n",
  "echo rm x | sh",
  "a[1 + 1]=2 rm x",
  "a[1]=2 a",
  "v=rm",
  "v=1 a",
  "PATH=. a",
  "IFS=m; v=rmx; $v",
  "v+=1 a",
  "v=(a b)",
  ">&-rm x",
  "2>&1rm x",
  ">w rm x",
  "{ls,rm} x",
  "a;b",
  "a &! rm x",
  "a &| rm x",
  "a |& rm x",
  "a & rm x"
]

const simple = (random: Random, wild: boolean): string => {
  if (wild && random.below(3) === 0) return random.pick(builtins)
  const words = [random.pick(programs)]
  if (wild && random.below(8) === 0)
    words.unshift(random.pick(["v=1", "k=$v", "CI=1", "PATH=.", "v=$(rm x)", "x[0]=1"]))
  for (let n = random.below(4); n > 0; n--) words.push(random.pick(wild && random.below(3) === 0 ? odd : values))
  if (random.below(5) === 0) words.splice(random.below(words.length + 1), 0, random.pick(redirections))
  return words.join(random.below(12) === 0 ? " \\\n " : " ")
}

const list = (random: Random, depth: number, wild: boolean): string =>
  Array.from({ length: 1 + random.below(2) }, () => compound(random, depth, wild)).join(
    random.pick([
      " && ",
      " || ",
      "; ",
      "\n",
      " | ",
      " & ",
      "&&",
      ";",
      "|",
      ...(wild ? ["|&", " &! ", " ;; ", "\r\n", ";&"] : [])
    ])
  )

const compound = (random: Random, depth: number, wild: boolean): string => {
  const inner = (): string => list(random, depth - 1, wild)
  if (depth <= 0) return simple(random, wild)
  const name = random.pick(["i", "f", "file", ...(wild ? ["PATH", "IFS", "GIT_EDITOR", "path", "v"] : [])])
  switch (random.below(wild ? 22 : 12)) {
    case 0:
      return `if ${inner()}; then ${inner()}; fi`
    case 1:
      return `if ${inner()}\nthen ${inner()}\nelse ${inner()}\nfi`
    case 2:
      return `for ${name} in ${random.pick(values)} ${random.pick(values)}; do ${inner()}; done`
    case 3:
      return `while false; do ${inner()}; done`
    case 4:
      return `(${inner()})`
    case 5:
      return `{ ${inner()}; }`
    case 6:
      return `a "$(${inner()})"`
    case 7:
      return `a $(${inner()})`
    case 8:
      return `! ${simple(random, wild)}`
    case 9:
      return `${compound(random, depth - 1, wild)} ${random.pick(redirections)}`
    case 10:
      return `# it's ${random.pick(odd)}\n${simple(random, wild)}`
    case 12:
      return `for ((i=0;i<1;i++)) do ${inner()}; done`
    case 13:
      return `for ((i=0;i<1;i++)); do ${inner()}; done`
    case 14:
      return `case x in ${random.pick(["x", "*", "(x)", "x|y"])}) ${inner()};; esac`
    case 15:
      return `{ ${inner()} } always { ${inner()} }`
    case 16:
      return `for ${name} (x y) ${simple(random, wild)}`
    case 17:
      return `if [[ ${random.pick(["-f x", "! -d x", "x = x", "-n x", "x", "1 -eq 1"])} ]]${random.pick(["; ", "\n", " "])}${random.pick(["then ", "{ "])}${inner()}${random.pick(["; fi", "\nfi", " }"])}`
    case 18:
      return `[[ a ]]&&${inner()} ]]`
    case 19:
      return `((${inner()}))`
    case 20:
      return `{${simple(random, wild)}}`
    case 21:
      return `\`${inner()}\``
    default:
      return simple(random, wild)
  }
}

/** A command line. Now and then a character of it is dropped, doubled or swapped: what nobody would write. */
export const shellLine = (random: Random): string => {
  const wild = random.below(3) > 0
  let line = list(random, random.below(4), wild)
  if (random.below(6) === 0) {
    for (let n = 1 + random.below(2); n > 0; n--) {
      const at = random.below(line.length)
      const to = random.pick([
        "",
        line[at]! + line[at]!,
        "'",
        '"',
        "\\",
        "$",
        "(",
        ")",
        "{",
        "}",
        ";",
        "&",
        "|",
        "\n",
        " ",
        "#",
        "`",
        "[",
        "]",
        "<",
        ">",
        "="
      ])
      line = line.slice(0, at) + to + line.slice(at + 1)
    }
  }
  return line
}
