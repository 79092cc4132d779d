#!/bin/sh
# agent.sh HABIT LEDGER: an agent for power cuts. It never writes the same twice, and the ledger, which lies on another
# disk, says what it wrote ("wrote") and what was on the disk by fsync ("synced") before that line.
habit=$1 ledger=$2
cat > /dev/null
me=$PAWL_STEP-$$-$(date +%s%N)
mkdir -p work
wrote() { printf 'wrote\t%s\t%s\n' "$1" "$2" >> "$ledger"; printf '%s\n' "$2" > "$1"; }
synced() { wrote "$1" "$2"; sync "$1" && printf 'synced\t%s\t%s\n' "$1" "$2" >> "$ledger"; }

synced "work/$me.first" "first of $me"
wrote "work/$PAWL_STEP.loose" "loose of $me"
wrote "src/${PAWL_STEP#step-}.txt" "changed by $me"
case $habit in
add) git add -A ;;
commit) git add -A && git commit -qm "an agent's own, $me" ;;
esac
sleep 0.3
synced "work/$me.second" "second of $me"
wrote "work/$PAWL_STEP.done" "done by $me"
case $habit in add) git add -A ;; esac
pawl state update "$PAWL_PLAN" "$PAWL_STEP" --all completed
