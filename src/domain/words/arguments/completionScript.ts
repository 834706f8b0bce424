import type { CompletionShell } from "./completionShells.ts"

/**
 * Bash inserts candidates as they are. Nothing is evaluated here (no `compgen -W`, which expands its words), and leap
 * gives only characters without a meaning to a shell. Bash 3.2 has no `compopt`.
 */
const bash = String.raw`# bash completion of leap. To install it:
#   leap completions bash > ~/.local/share/bash-completion/completions/leap
_leap() {
  local kind='' word
  COMPREPLY=()
  {
    IFS= read -r kind
    while IFS= read -r word; do COMPREPLY+=("$word"); done
  } < <(command leap __complete bash "${"$"}{COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null </dev/null)
  case $kind in
    files) compopt -o default 2>/dev/null || _leap_paths -f ;;
    directories) compopt -o dirnames 2>/dev/null || _leap_paths -d ;;
  esac
  return 0
}
_leap_paths() {
  local path
  while IFS= read -r path; do
    printf -v path %q "$path"
    COMPREPLY+=("$path")
  done < <(compgen "$1" -- "${"$"}{COMP_WORDS[COMP_CWORD]}")
}
complete -F _leap leap
`

const zsh = String.raw`#compdef leap
# zsh completion of leap. To install it, in ~/.zshrc before compinit: fpath=(~/.zfunc $fpath); then:
#   mkdir -p ~/.zfunc; leap completions zsh > ~/.zfunc/_leap
_leap() {
  local line tab=$'\t'
  local -a typed lines values shown
  typed=("${"$"}{(@Q)words[2,CURRENT-1]}" "${"$"}{(Q)PREFIX}")
  lines=("${"$"}{(@f)$(command leap __complete zsh "${"$"}{(@)typed}" 2>/dev/null </dev/null)}")
  case $lines[1] in
    files) _files ;;
    directories) _files -/ ;;
    words)
      for line in "${"$"}{(@)lines[2,-1]}"; do
        values+=("${"$"}{line%%$tab*}")
        shown+=("${"$"}{line/$tab/  -- }")
      done
      compadd -l -d shown -a values
      ;;
  esac
}
if [[ $funcstack[1] = _leap ]]; then _leap "$@"; else compdef _leap leap; fi
`

const fish = String.raw`# fish completion of leap. To install it:
#   leap completions fish > ~/.config/fish/completions/leap.fish
function __leap_complete
    set -l typed (commandline -ct)
    set -l words (commandline -opc)
    set -l lines (command leap __complete fish $words[2..-1] "$typed" 2>/dev/null </dev/null)
    switch "$lines[1]"
        case files
            __fish_complete_path "$typed"
        case directories
            __fish_complete_directories "$typed"
        case words
            test (count $lines) -gt 1; and printf '%s\n' $lines[2..-1]
    end
end
complete -c leap -e
complete -c leap -f -a '(__leap_complete)'
`

const scripts: Readonly<Record<CompletionShell, string>> = { bash, fish, zsh }

/** The script that a shell loads. At each Tab it asks `leap __complete`. */
export const completionScript = (shell: CompletionShell): string => scripts[shell]
