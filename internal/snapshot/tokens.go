package snapshot

import "unicode/utf8"

// Tokens estimates what a text costs a model (placeholder).
func Tokens(text string) int {
	return tokens([]byte(text))
}

func tokens(s []byte) int {
	n := 0
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == ' ' && i+1 < len(s) && s[i+1] > ' ':
			i++ // belongs to the word after it
		case c <= ' ':
			for i < len(s) && s[i] <= ' ' {
				i++
			}
			n++
		case letter(c):
			j := i
			for j < len(s) && letter(s[j]) {
				j++
			}
			n += 1 + (j-i-1)/7
			i = j
		case c >= '0' && c <= '9':
			j := i
			for j < len(s) && s[j] >= '0' && s[j] <= '9' {
				j++
			}
			n += (j - i + 2) / 3
			i = j
		case c < utf8.RuneSelf:
			j := i
			for j < len(s) && j < i+3 && s[j] > ' ' && s[j] < utf8.RuneSelf && !letter(s[j]) && (s[j] < '0' || s[j] > '9') {
				j++
			}
			n++
			i = j
		default:
			_, w := utf8.DecodeRune(s[i:])
			n++
			i += w
		}
	}
	return n
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
