// Package tokens estimates how many tokens a text costs a model.
package tokens

import "unicode/utf8"

// Least and Hint are parts of the budget of a snapshot.
const (
	Least = 200 // the smallest budget; with less, not even the notes have room
	Hint  = 90  // for the line that says what was left out
)

// Count estimates how many tokens a text costs a model.
//
// Count imitates how byte-pair tokenizers split a text before they merge: a word with the space before it, digits in
// threes (the space before them counts), punctuation in threes, white space as one. Words longer than eight letters and
// parts in camel case cost more. Letters of other alphabets cost one token for every two, ideographs one each,
// characters beyond U+FFFF two. The weights come from a comparison with the o200k and cl100k vocabularies. Snapshots
// and English prose are within 6 % of both. Other scripts lie between the two. Code and random strings come out up to a
// quarter too high.
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
		case letter(c) || c >= 0xC3 && c < 0xE2: // the first bytes in UTF-8 of Latin to Indic letters
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

// alphabetic returns the end and the weight of the word at i. A weight of 80 makes a token.
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
