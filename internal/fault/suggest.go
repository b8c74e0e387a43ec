package fault

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Suggest returns the question whether one of the options that look like word was meant, with a blank at its end. It is
// empty if none looks alike.
func Suggest[T ~string](word string, options ...T) string {
	near := Nearest(word, options...)
	if len(near) == 0 {
		return ""
	}
	text := string(near[0])
	if len(near) > 1 {
		text += " or " + string(near[1])
	}
	return "Did you mean " + text + "? "
}

// Nearest returns the options that look like word, the likeliest first: up to two typing errors apart, or with a common
// beginning.
func Nearest[T ~string](word string, options ...T) []T {
	type candidate struct {
		option T
		apart  int
	}
	var near []candidate
	asked := plain(word)
	for i, option := range options {
		if slices.Contains(options[:i], option) {
			continue
		}
		known := plain(string(option))
		most := min(2, len(known)/3)
		switch apart := distance(asked, known); {
		case len(asked) == 0:
		case apart <= most:
			near = append(near, candidate{option, apart})
		case len(asked) >= 3 && strings.HasPrefix(string(known), string(asked)),
			len(known) >= 3 && strings.HasPrefix(string(asked), string(known)):
			near = append(near, candidate{option, most + 1})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(a.apart, b.apart) })
	out := make([]T, len(near))
	for i, one := range near {
		out[i] = one.option
	}
	return out
}

// plain returns a word without what people spell in different ways.
func plain(word string) []rune {
	return []rune(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, word))
}

// distance counts the letters to add, remove, replace or swap with a neighbour until a becomes b.
func distance(a, b []rune) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		now := make([]int, len(b)+1)
		now[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			now[j+1] = min(last[j+1]+1, now[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				now[j+1] = min(now[j+1], before[j-1]+1)
			}
		}
		before, last = last, now
	}
	return last[len(b)]
}
