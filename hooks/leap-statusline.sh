#!/bin/sh
# leap-statusline.sh [<command>]: leaves the leap host a copy of what a CLI tells its status line, then becomes the
# user's own status line, the shell command <command>, with the same input and environment.
#
# Outside leap, or when the directory LEAP_SIGNAL_DIR is gone or closed, it becomes <command> at once. Without one it
# prints nothing. The copy is a file as leap-hook.sh writes it, and the host is told of it in the same way.
# It never fails by itself, never waits for the host, and starts one process: cat.

if [ -n "$LEAP_SIGNAL_DIR" ] && [ -d "$LEAP_SIGNAL_DIR" ] && [ ! -t 0 ]; then
  leap_count=0
  leap_name=StatusLine,$$,$PPID,0
  while [ -e "$LEAP_SIGNAL_DIR/.$leap_name" ] || [ -e "$LEAP_SIGNAL_DIR/$leap_name" ]; do
    leap_count=$((leap_count + 1))
    leap_name=StatusLine,$$,$PPID,$leap_count
  done
  leap_caller=
  { read -r leap_caller <"/proc/$PPID/stat"; } 2>/dev/null
  (
    umask 077
    trap '' HUP INT
    {
      printf 'leap-hook 1 StatusLine %s\n' "$PPID"
      [ -z "$leap_caller" ] || printf '%s\n' "$leap_caller"
      exec cat
    } >"$LEAP_SIGNAL_DIR/.$leap_name"
  ) 2>/dev/null
  # The copy is opened before the host is told of it, for then it is deleted.
  if [ -r "$LEAP_SIGNAL_DIR/.$leap_name" ]; then
    exec <"$LEAP_SIGNAL_DIR/.$leap_name"
    read -r leap_line
    [ -z "$leap_caller" ] || read -r leap_line
    {
      [ -f "$LEAP_SIGNAL_DIR/bell" ] && printf '\n%s\n' "$leap_name" >>"$LEAP_SIGNAL_DIR/bell" || : >"$LEAP_SIGNAL_DIR/$leap_name"
    } 2>/dev/null
  fi
fi
[ -z "$1" ] || exec sh -c "$1"
[ -t 0 ] || exec cat >/dev/null
