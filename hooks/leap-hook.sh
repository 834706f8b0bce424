#!/bin/sh
# leap-hook.sh <Event> [<reply>]: hands one lifecycle event of a CLI to the leap host that runs it.
#
# Writes one file into the directory LEAP_SIGNAL_DIR: a header line, the caller's line from /proc where there is one,
# then standard input as it came. The file is hidden until an empty one beside it says that it is whole, so the host
# never takes half an event. Outside leap, or when the directory is gone or closed, it reads its input and does nothing.
# It prints <reply> (nothing unless the CLI wants something there), or a decision that the host has left ready.
# It never fails, never waits for the host, and starts one process: cat.

exec 2>/dev/null
trap '' HUP INT PIPE
set -f
umask 077
unset IFS
LC_ALL=C
# The system's own cat, found at once; then the user's, for systems that keep theirs elsewhere.
PATH=/usr/bin:/bin:$PATH

event=$1
reply=$2
dir=$LEAP_SIGNAL_DIR

# Reads what the CLI has left to write: one whose pipe breaks may complain.
drain() {
  [ -t 0 ] || cat >/dev/null
}

finish() {
  [ -z "$reply" ] || printf '%s\n' "$reply"
  exit 0
}

# The process that called, as pid:birth: the nearest ancestor but for up to two shells, by which CLIs start hooks.
find_caller() {
  caller=
  pid=$PPID
  for level in 1 2 3; do
    line=
    read -r line <"/proc/$pid/stat" || return 1
    rest=${line##*) }
    name=${line#*\(}
    name=${name%") $rest"}
    set -- $rest
    case $level$name in
      [12]sh | [12]bash | [12]dash | [12]ash | [12]zsh | [12]ksh | [12]mksh | [12]fish | [12]busybox) pid=$2 ;;
      *) caller=$pid:${20}; return 0 ;;
    esac
  done
  return 1
}

case $event in
  '' | .* | *[!A-Za-z0-9_.:-]*) dir= ;;
esac
if [ -z "$dir" ] || [ ! -d "$dir" ]; then
  drain
  finish
fi

# A name that is ours alone: nobody else has our pid while we live; the count is for an event of an earlier process
# with our pid that the host has not taken yet.
count=0
name=$event,$$,$PPID,$count
while [ -e "$dir/.$name" ] || [ -e "$dir/$name" ]; do
  count=$((count + 1))
  name=$event,$$,$PPID,$count
done

# cat reads the caller's line too, while the caller lives. What a full disk cuts off the host does without: the event's
# name is in the file's.
begun=
{
  begun=1
  printf 'leap-hook 1 %s %s\n' "$event" "$PPID"
  if [ -t 0 ]; then
    :
  elif [ -r "/proc/$PPID/stat" ]; then
    cat "/proc/$PPID/stat" - || drain
  else
    cat || drain
  fi
} >"$dir/.$name"
if [ -z "$begun" ]; then
  drain
  finish
fi
{ :; } >"$dir/$name" || finish

# A decision is printed only if it is whole, for this event and for this very caller; else the user is asked.
if [ -f "$dir/decision" ]; then
  head=
  answer=
  tail=
  { read -r head && read -r answer && read -r tail; } <"$dir/decision"
  case $head in
    "leap-decision 1 $event "*)
      if [ "$tail" = end ] && find_caller && [ "$head" = "leap-decision 1 $event $caller" ]; then
        reply=$answer
      fi
      ;;
  esac
fi
finish
