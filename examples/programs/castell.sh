#!/usr/bin/env bash
# Runs the Java program of whoever is named: castell.sh castell
here=$(dirname "$0")
for student in "${@:-castell}"; do
  echo "== $student"
  java "$here/$student.java" || { echo "$student: does not run" >&2; failed=1; }
done
exit "${failed:-0}"
