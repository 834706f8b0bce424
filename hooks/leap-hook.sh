#!/bin/sh
# leap-hook.sh <Event> [<reply>]: hands one lifecycle event of a CLI to the leap host that runs it.
#
# Writes one file into the session's spool directory: a header line, the caller's line from /proc where there is one,
# then standard input as it came. The host does not look at it until it is told that it is whole, by a line in a file of
# the host's or by an empty file beside it, so it never takes half an event. Outside leap, or when the directory is gone or closed, it reads its input and does nothing.
# It prints <reply> (nothing unless the CLI wants something there), or, to an event that leap decides on at present, what
# the host answers: for that alone it waits, not beyond some two seconds, and not for a host that is gone. Where no answer
# comes it prints the line that the host left for that case.
# It never fails, and mostly starts one process: cat.

exec 2>/dev/null
trap '' HUP INT PIPE
set -f
umask 077
unset IFS
# For the programs it starts too: they need not read what the user's language brings with it.
LC_ALL=C
export LC_ALL
# The system's own cat, found at once; then the user's, for systems that keep theirs elsewhere.
PATH=/usr/bin:/bin:$PATH

event=$1
reply=$2
dir=
pids=${0%/*}/../pids

# Reads what the CLI has left to write: one whose pipe breaks may complain.
drain() {
  [ -t 0 ] || cat >/dev/null
}

finish() {
  [ -z "$reply" ] || printf '%s\n' "$reply"
  exit 0
}

# Where the host does not answer, the CLI is told what the user's rules want then.
finish_alone() {
  answer=
  [ ! -f "$dir/silent,$event" ] || read -r answer <"$dir/silent,$event"
  [ -z "$answer" ] || reply=$answer
  finish
}

# Takes the session of process $1, if leap started it: its birth tells it from a later process with that pid.
take_session() {
  [ -f "$pids/$1" ] || return 1
  mark='' version='' born='' spool='' line=''
  read -r mark version born spool <"$pids/$1"
  if [ -r "/proc/$1/stat" ]; then
    read -r line <"/proc/$1/stat"
    set -- ${line##*\) }
    birth=${20}
  else
    eval "birth=\$birth_$1"
  fi
  [ "$mark $version $born" = "leap-pid 1 $birth" ] || return 1
  dir=$spool
}

# For CLIs that strip the environment of their hooks: the session of the nearest process above that leap started.
find_session() {
  set +f
  set -- "$pids"/[0-9]*
  set -f
  # Mostly leap runs nothing, and there is nothing to look for.
  [ -f "$1" ] || return 0
  if [ ! -r /proc/self/stat ]; then
    while read -r line; do
      set -- $line
      case $1,$2 in
        *[!0-9,]* | ,* | *,) ;;
        *) eval "above_$1=\$2 birth_$1=\${3}_\${4}_\${5}_\${6}_\${7}" ;;
      esac
    done <<END
$(ps -A -o pid= -o ppid= -o lstart=)
END
  fi
  pid=$PPID
  for level in 1 2 3 4 5 6 7 8 9 10; do
    case $pid in '' | 0 | 1 | *[!0-9]*) return 0 ;; esac
    ! take_session "$pid" || return 0
    above=
    if [ -r "/proc/$pid/status" ]; then
      # The shell reads byte by byte: this is a quarter of the process's line in stat.
      while read -r key above rest && [ "$key" != PPid: ]; do above=; done <"/proc/$pid/status"
    else
      eval "above=\$above_$pid"
    fi
    pid=$above
  done
}

case $event in
  '' | .* | *[!A-Za-z0-9_.:-]*) ;;
  *)
    if [ -n "${LEAP_SIGNAL_DIR+set}" ]; then dir=$LEAP_SIGNAL_DIR; else find_session; fi
    ;;
esac
if [ -z "$dir" ] || [ ! -d "$dir" ]; then
  [ -z "$reply" ] || printf '%s\n' "$reply"
  # Nothing comes after cat here: it takes this shell's place. One without an input would fail.
  if [ ! -t 0 ] && { :; } 3<&0 && [ -x /usr/bin/cat ]; then exec /usr/bin/cat >/dev/null; fi
  drain
  exit 0
fi

# Tells the host: by a line of its own in the host's bell, or, where it has none or the disk is full, by a file of that name.
tell() {
  [ -f "$dir/bell" ] && printf '\n%s\n' "$1" >>"$dir/bell" || { :; } >"$dir/$1"
}

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
  finish_alone
fi
tell "$name" || finish_alone

# The host lists the events that it decides on, behind its pid.
head=
[ ! -f "$dir/decision" ] || read -r head <"$dir/decision"
case "$head " in
  'leap-decision 2 '*" $event "*) ;;
  *) finish_alone ;;
esac
host=${head#leap-decision 2 }
host=${host%% *}
case $host in '' | 0* | *[!0-9]*) finish_alone ;; esac

# An answer is printed only if it is whole and to this very call. What became of it is left for the host to see.
answered=$dir/reply,$name
take_answer() {
  head='' answer='' tail=''
  { read -r head && read -r answer && read -r tail; } <"$answered"
  [ "$head $tail" = "leap-reply 1 $name end" ] || return 0
  [ -z "$answer" ] || reply=$answer
  [ -z "$reply" ] || printf '%s\n' "$reply" || exit 0
  tell "taken,$name"
  exit 0
}

# Mostly the answer is there within a millisecond, and only to start a sleep takes longer: so it looks some thousand times
# first, for a few milliseconds, and then between sleeps.
ten='0 1 2 3 4 5 6 7 8 9'
for hundred in $ten $ten; do
  kill -0 "$host" || finish_alone
  for look in $ten $ten $ten $ten $ten $ten $ten $ten $ten $ten; do
    [ ! -f "$answered" ] || take_answer
  done
done
round=0
fine=1
while [ "$round" -lt 60 ]; do
  [ ! -f "$answered" ] || take_answer
  kill -0 "$host" || finish_alone
  if [ -z "$fine" ]; then
    # A sleep that knows whole seconds only.
    sleep 1
    round=$((round + 30))
  elif [ "$round" -lt 10 ]; then
    sleep 0.001 || fine=
  elif [ "$round" -lt 22 ]; then
    sleep 0.01
  else
    sleep 0.05
  fi
  round=$((round + 1))
done
{ :; } >"$dir/gave-up,$name"
finish_alone
