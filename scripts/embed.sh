#!/bin/sh
# Turns a file into a C array on stdout: data/report/report.css becomes the bytes
# psb_data_report_report[] (and a NUL behind them) and their number, .._size.
# usage: scripts/embed.sh FILE > out.c
set -eu

file=$1
name=psb_$(printf '%s' "${file%.*}" | tr -c '[:alnum:]' '_')
size=$(wc -c < "$file" | tr -d ' ')

cat << END
/* The bytes of $file. */
extern const unsigned char ${name}[];
extern const unsigned long ${name}_size;
const unsigned long ${name}_size = $size;
const unsigned char ${name}[] = {
END
od -An -v -tu1 "$file" | sed 's/[0-9][0-9]*/&,/g'
echo '0};'
