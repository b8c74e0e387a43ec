package cookie

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text is a text of a page. Pages keep any sequence of UTF-16 units in local storage, also lone surrogates. In a Text a
// lone surrogate has the three bytes that UTF-8 would give it (WTF-8), and in JSON it is an escape, which encoding/json
// alone would replace.
type Text string

// MarshalJSON implements json.Marshaler.
func (t Text) MarshalJSON() ([]byte, error) {
	out := []byte{'"'}
	for s := string(t); s != ""; {
		i := surrogateIndex(s)
		part, err := json.Marshal(s[:i])
		if err != nil {
			return nil, err
		}
		out = append(out, part[1:len(part)-1]...)
		if s = s[i:]; s != "" {
			out = fmt.Appendf(out, `\ud%03x`, int(s[1]&0x3f)<<6|int(s[2]&0x3f))
			s = s[surrogateSize:]
		}
	}
	return append(out, '"'), nil
}

// UnmarshalJSON implements json.Unmarshaler. It refuses bytes that are not UTF-8, which encoding/json would replace.
func (t *Text) UnmarshalJSON(raw []byte) error {
	var plain string
	if err := json.Unmarshal(raw, &plain); err != nil {
		return err
	}
	if !utf8.Valid(raw) {
		return errors.New("the text is not UTF-8")
	}
	if raw[0] != '"' { // null
		return nil
	}

	body := string(raw[1 : len(raw)-1])
	var out strings.Builder
	start := 0
	for i := 0; i < len(body); {
		lone, width := escapeAt(body[i:])
		if lone != 0 {
			out.WriteString(unquote(body[start:i]))
			out.Write([]byte{0xed, 0x80 | byte(lone>>6&0x3f), 0x80 | byte(lone&0x3f)})
			start = i + width
		}
		i += width
	}
	out.WriteString(unquote(body[start:]))
	*t = Text(out.String())
	return nil
}

// escapeAt reads what JSON text begins with: a byte, an escape or a pair of them. lone is not 0 if that is a lone
// surrogate.
func escapeAt(s string) (lone rune, width int) {
	if s[0] != '\\' {
		return 0, 1
	}
	unit, ok := unitAt(s)
	switch {
	case !ok:
		return 0, len(`\n`)
	case unit < 0xd800 || unit > 0xdfff:
		return 0, len(`\u0000`)
	}
	if low, ok := unitAt(s[len(`\u0000`):]); ok && unit < 0xdc00 && low >= 0xdc00 && low <= 0xdfff {
		return 0, len(`\u0000\u0000`)
	}
	return unit, len(`\u0000`)
}

// unitAt reads the escape of a UTF-16 unit, such as \ud800, at the beginning of s.
func unitAt(s string) (rune, bool) {
	if len(s) < len(`\u0000`) || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(unit), err == nil
}

// unquote reads JSON text that stood between quotes and is known to be valid.
func unquote(s string) (out string) {
	_ = json.Unmarshal([]byte(`"`+s+`"`), &out)
	return out
}

// surrogateSize is how many bytes a surrogate has.
const surrogateSize = 3

// surrogateIndex returns where the first surrogate is in s, or the length of s.
func surrogateIndex(s string) int {
	for i := 0; i+surrogateSize <= len(s); i++ {
		if s[i] == 0xed && s[i+1] >= 0xa0 && s[i+1] <= 0xbf && s[i+2] >= 0x80 && s[i+2] <= 0xbf {
			return i
		}
	}
	return len(s)
}

// valid reports whether t is UTF-8 except for lone surrogates.
func (t Text) valid() bool {
	for s := string(t); s != ""; {
		i := surrogateIndex(s)
		if !utf8.ValidString(s[:i]) {
			return false
		}
		s = s[min(i+surrogateSize, len(s)):]
	}
	return true
}
