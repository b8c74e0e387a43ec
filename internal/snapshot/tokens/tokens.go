// Package tokens estimates what a text costs a model.
package tokens

import "unicode/utf8"

// Parts of the budget of a snapshot.
const (
	Least = 200 // below this not even the notes have room
	Hint  = 90  // for the line that says what was left out
)

// Count estimates what a text costs a model.
//
// It imitates how byte-pair tokenizers cut before they merge: a word with the space before it, digits by threes (the
// space before them counts), punctuation by threes, white space as one. Words longer than eight letters and parts in
// camel case cost more; letters of other alphabets cost one for every two, ideographs one each, characters beyond
// U+FFFF two. The weights come from a comparison with the o200k and cl100k vocabularies: within 6 % on snapshots and
// English prose; other scripts lie between the two, and code and random strings come out up to a quarter too high.
func Count[T string | []byte](s T) int {
	n := 0
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == ' ' && i+1 < len(s) && s[i+1] > ' ':
			if i++; digit(s[i]) {
				n++
			}
		case c <= ' ':
			for i < len(s) && s[i] <= ' ' {
				i++
			}
			n++
		case digit(c):
			from := i
			for i < len(s) && digit(s[i]) {
				i++
			}
			n += (i - from + 2) / 3
		case letter(c) || c >= 0xC3 && c < 0xE2: // Latin to Indic, in UTF-8's first byte
			end, weight := alphabetic(s, i)
			n += 1 + (weight-10)/80
			i = end
		case c < utf8.RuneSelf:
			from := i
			for i < len(s) && i < from+3 && s[i] > ' ' && s[i] < utf8.RuneSelf && !letter(s[i]) && !digit(s[i]) {
				i++
			}
			n++
		case c >= 0xF0:
			n += 2
			i += 4
		case c >= 0xE0:
			n++
			i += 3
		default:
			n++
			i += 2
		}
	}
	return n
}

// alphabetic weighs a word: 80 make a token.
func alphabetic[T string | []byte](s T, i int) (end, weight int) {
	for small := false; i < len(s); {
		switch c := s[i]; {
		case letter(c):
			if upper := c < 'a'; upper && small {
				return i, weight
			} else {
				small = !upper
			}
			weight += 10
			i++
		case c >= 0xC3 && c < 0xE0:
			weight += 36
			i += 2
		case c >= 0xE0 && c < 0xE2:
			weight += 36
			i += 3
		default:
			return i, weight
		}
	}
	return i, weight
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
