// Package quote writes what a page says into our own sentences.
package quote

import "fmt"

// Short returns text cut to at most the given number of characters, with a note of how many are missing: a page may
// make its texts as long as it likes.
func Short(text string, most int) string {
	if len(text) <= most {
		return text
	}

	count, end := 0, len(text)
	for i := range text {
		if count++; count == most+1 {
			end = i
		}
	}
	if count <= most {
		return text
	}
	return fmt.Sprintf("%s…(+%d characters)", text[:end], count-most)
}

// Capital returns s with a capital letter at its beginning.
func Capital(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}
