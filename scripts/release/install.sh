#!/bin/sh
# Installs leap with the Node that it needs, for this user, or takes another build of it. What is there is checked
# before anything is changed, put in place whole, and sessions that run go on with the build that they were started by.
#
#   sh install.sh [FROM] [--to DIR] [--bin DIR]
#
# FROM    what 'npm run release' made: a folder (this file's, unless told), a build in one, or the address of either
#         (https://… or file://…)
# --to    where builds are kept (~/.local/share/leap)
# --bin   where the one word goes (~/.local/bin); '-' leaves it as it is
set -eu
set -f
umask 022

refuse() {
  printf 'leap: %s\n' "$*" >&2
  exit 1
}

newline='
'
from=
[ -n "${HOME:-}${XDG_DATA_HOME:-}" ] || HOME=/nonexistent
to=${XDG_DATA_HOME:-${HOME:-}/.local/share}/leap
bin=${HOME:-}/.local/bin
while [ $# -gt 0 ]; do
  case $1 in
    --to | --bin)
      [ $# -gt 1 ] && [ -n "$2" ] || refuse "$1 wants a folder"
      [ "$1" = --to ] && to=$2 || bin=$2
      shift 2
      ;;
    -h | --help)
      sed -n '2,/^set/{s/^# \{0,1\}//p;}' "$0"
      exit 0
      ;;
    -*) refuse "there is no option $1; 'sh install.sh --help' tells them" ;;
    *)
      [ -z "$from" ] || refuse "one folder, build or address is wanted, and '$from' and '$1' are two"
      from=$1
      shift
      ;;
  esac
done
case $to in /*) ;; *) to=$PWD/$to ;; esac
case $bin in /* | -) ;; *) bin=$PWD/$bin ;; esac

# ---- which build, and from where ------------------------------------------------------------------------------------

[ "$(uname -s)" = Linux ] ||
  refuse "builds with Node inside are for Linux; elsewhere, with Node: npm install -g ./leap-VERSION.tgz"
case $(uname -m) in
  x86_64 | amd64) platform=linux-x64 ;;
  aarch64 | arm64) platform=linux-arm64 ;;
  *) refuse "there is no build for $(uname -m); with a Node of its own: npm install -g ./leap-VERSION.tgz" ;;
esac

name=
case $from in
  '') case $0 in */*) base=${0%/*} ;; *) base=. ;; esac ;;
  https://*.tar.gz) base=${from%/*} name=${from##*/} ;;
  https://*) base=${from%/} ;;
  file://*) base=${from#file://} ;;
  *://*) refuse "$from: only https:// and file:// are trusted to bring a program" ;;
  *) base=$from ;;
esac
case $base in
  https://*) ;;
  *)
    if [ -f "$base" ]; then
      name=${base##*/}
      case $base in */*) base=${base%/*} ;; *) base=. ;; esac
    fi
    [ -d "$base" ] || refuse "$base is not there"
    ;;
esac
case $name in
  '' | leap-*-"$platform".tar.gz) ;;
  leap-*-linux-*.tar.gz) refuse "$name is for another platform: this machine wants leap-VERSION-$platform.tar.gz" ;;
  leap-*.tgz) refuse "$name has no Node inside: npm install -g installs it; a build is leap-VERSION-$platform.tar.gz" ;;
  *) refuse "$name is no build of leap: one is called leap-VERSION-$platform.tar.gz" ;;
esac

# ---- nothing is changed before all of it is known to be possible ----------------------------------------------------

mark="# leap's own start, written by install.sh"
if [ "$bin" != - ]; then
  word=$bin/leap
  if [ -e "$word" ] || [ -L "$word" ]; then
    grep -qsF "$mark" "$word" ||
      refuse "$word is there and was not written by install.sh: remove it, or name another folder with --bin"
  fi
fi
[ -L "$to/current" ] || [ ! -e "$to/current" ] ||
  refuse "$to/current is there and is no installation: --to names another folder"
# The nearest folder that is there says whether one can be made in it; those that are made go again with a failure.
missing=
can_write() {
  dir=$1
  while [ ! -e "$dir" ]; do
    missing=$missing$dir$newline
    dir=$(dirname "$dir")
  done
  [ -d "$dir" ] && [ -w "$dir" ] || refuse "cannot write to $1 ($dir is not yours to write); $2 names another folder"
}
can_write "$to/builds" --to
[ "$bin" = - ] || can_write "$bin" --bin

if command -v sha256sum >/dev/null; then sum() { sha256sum "$1" | cut -c1-64; }
elif command -v shasum >/dev/null; then sum() { shasum -a 256 "$1" | cut -c1-64; }
else refuse "no sha256sum and no shasum is here, so that nothing can be checked: install coreutils"
fi
command -v tar >/dev/null && command -v gzip >/dev/null || refuse "tar and gzip are needed"

mkdir -p "$to/builds" 2>/dev/null || refuse "cannot make $to/builds; --to names another folder"
to=$(cd "$to" && pwd -P)
new=$to/.new.$$
leave() {
  rm -rf "$new"
  # the deepest first, and none that has something in it
  [ -n "$missing" ] || return 0
  set -f
  IFS=$newline
  for dir in $missing; do rmdir "$dir" 2>/dev/null || :; done
}
trap leave EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir "$new" || refuse "cannot make $new"

# get NAME: the file of that name in the folder, or at the address, as a file of our own
get() {
  case $base in
    https://*)
      if command -v curl >/dev/null; then
        curl -fsSL --proto '=https' --proto-redir '=https' -o "$new/$1" "$base/$1" 2>"$new/why"
      elif command -v wget >/dev/null; then
        wget -q -O "$new/$1" "$base/$1" 2>"$new/why"
      else refuse "no curl and no wget is here: fetch $base/$1 and SHA256SUMS yourself, and name their folder"
      fi
      ;;
    *) cp "$base/$1" "$new/$1" 2>"$new/why" ;;
  esac
}
why() {
  said=$(head -n 1 "$new/why" | cut -c1-300)
  echo "${said:-without a word why}"
}

get SHA256SUMS || refuse "$base has nothing that leap's release made: no SHA256SUMS in it ($(why))"
line="\([0-9a-f]\{64\}\)  \(leap-[0-9A-Za-z.+-]*-$platform\.tar\.gz\)"
found=$(sed -n "s/^$line\$/\1 \2/p" "$new/SHA256SUMS" | { [ -z "$name" ] && cat || grep -F " $name"; } || :)
case $found in
  '') refuse "SHA256SUMS in $base names no ${name:-build for $platform}" ;;
  *"$newline"*) refuse "SHA256SUMS in $base names several builds for $platform: name the one that you mean" ;;
esac
wanted=${found% *} name=${found#* }
get "$name" || refuse "$name could not be read from $base ($(why))"
is=$(sum "$new/$name")
[ "$is" = "$wanted" ] || refuse "$name is not what SHA256SUMS says (it is $is, not $wanted): nothing was changed"

mkdir "$new/build"
tar -xzof "$new/$name" -C "$new/build" 2>"$new/why" || refuse "$name cannot be unpacked in $to ($(why))"
set +f
build=$(echo "$new"/build/leap-*)
[ -f "$build/program/leap.js" ] && [ -x "$build/node" ] && [ -f "$build/install.sh" ] ||
  refuse "$name is no build of leap: its program or its Node is not in it"
version=$("$build/node" "$build/program/leap.js" --version 2>"$new/why") ||
  refuse "the Node in $name does not run here ($(why)); it needs glibc 2.28 and a place where programs may run"
version=${version#leap }

# ---- in place -------------------------------------------------------------------------------------------------------

# rename(2) itself: mv would go into a folder that is there
rename() { "$build/node" -e 'fs.renameSync(process.argv[1], process.argv[2])' "$1" "$2"; }

id=$version-$(printf %s "$is" | cut -c1-12)
place=$to/builds/$id
before=
[ ! -L "$to/current" ] || before=$(readlink "$to/current")
if [ ! -d "$place" ]; then rename "$build" "$place" || refuse "$place could not be made"
elif ! "$place/node" "$place/program/leap.js" --version >/dev/null 2>&1; then
  # somebody damaged it: what runs from it keeps the files that it has open
  rename "$place" "$new/damaged" && rename "$build" "$place" || refuse "$place could not be put right"
fi
build=$place
if [ "$before" != "builds/$id" ]; then
  ln -s "builds/$id" "$new/current"
  rename "$new/current" "$to/current" || refuse "$to/current could not be changed"
fi
if [ "$bin" != - ]; then
  quoted=$(printf %s "$to" | sed "s/'/'\\\\''/g")
  mkdir -p "$bin" || refuse "cannot make $bin"
  printf "#!/bin/sh\n%s\nroot='%s/current'\nexec \"\$root/node\" \"\$root/program/leap.js\" \"\$@\"\n" \
    "$mark" "$quoted" >"$new/leap"
  chmod 755 "$new/leap"
  cp "$new/leap" "$bin/.leap.$$"
  mv -f "$bin/.leap.$$" "$word" || refuse "$word could not be written"
fi

# Builds that nothing runs from are of no use; the one before stays for who is just starting it, and to go back to.
if ls -l /proc/self/exe >/dev/null 2>&1; then
  ls -l /proc/[0-9]*/exe >"$new/running" 2>/dev/null || :
  for old in "$to"/builds/*; do
    case $old in "$place" | "$to/$before") continue ;; esac
    grep -qF -- "-> $old/node" "$new/running" || rm -rf "$old"
  done
fi

if [ "$before" = "builds/$id" ]; then echo "leap $version is installed already ($id)"
elif [ -n "$before" ]; then
  echo "leap ${before#builds/} is replaced by $id"
  # which sessions go on with another build; a failure of this takes nothing back
  "$to/current/node" "$to/current/program/leap.js" upgrade || :
else echo "leap $version is installed in $to"
fi
[ "$bin" != - ] || exit 0
case ":$PATH:" in
  *":$bin:"*)
    first=$(command -v leap || :)
    [ "$first" = "$word" ] || echo "another leap comes first on your PATH: $first"
    echo "next: leap"
    ;;
  *)
    echo "$bin is not on your PATH; this puts it there, in your shell's start-up file too:"
    echo "  export PATH='$bin':\"\$PATH\""
    echo "next: $word"
    ;;
esac
