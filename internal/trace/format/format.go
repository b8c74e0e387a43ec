// Package format writes numbers, and texts of the recorded page, for the lines of a trace's report.
package format

import (
	"fmt"
	"strings"
	"time"
	"unicode"
)

// Milliseconds writes a time in whole milliseconds.
func Milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.0f ms", float64(d)/float64(time.Millisecond))
}

// Share writes a part of a time in percent.
func Share(part, whole time.Duration) string {
	if whole <= 0 {
		return "0 %"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(whole))
}

// Score writes a layout shift score. A small score must not look like 0.
func Score(s float64) string {
	switch {
	case s == 0:
		return "0"
	case s < 0.01:
		return fmt.Sprintf("%.4f", s)
	}
	return fmt.Sprintf("%.2f", s)
}

// Count writes a number with the word for what it counts.
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Size writes a number of bytes.
func Size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// widest is the greatest length of a text of the page, in characters. URLs can be whole images.
const widest = 160

// Clean puts a text of the page on one line and shortens it. The text must not look like lines of the report.
func Clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
	if runes := []rune(s); len(runes) > widest {
		return string(runes[:widest-20]) + "…" + string(runes[len(runes)-19:])
	}
	return s
}

// First returns the first text that is not empty.
func First(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}
