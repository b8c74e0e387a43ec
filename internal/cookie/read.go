package cookie

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"cove/internal/fault"
)

// Field is the input that errors of this package name.
const Field = "cookies"

// Options says how cookies are read.
type Options struct {
	// Now decides what has expired.
	Now time.Time
	// DropBad leaves bad items out and counts them. Without it one bad item refuses everything.
	DropBad bool
}

// Set is what was read.
type Set struct {
	Cookies []Cookie
	// Origins is the local storage that a storageState brings along.
	Origins []Origin
	// Expired, Repeated and Dropped count the items that are not in Cookies: past their expiry, replaced by a later
	// item with the same key, and bad.
	Expired, Repeated, Dropped int
	// Ignored names what was not understood and has no effect on the cookies.
	Ignored []string
}

// Read reads cookies in any format: an array of JSON, an object with the array "cookies" and perhaps "origins", a JSON
// text that holds either or a Netscape file, or a Netscape file itself.
func Read(raw []byte, o Options) (Set, error) {
	return read(raw, o, true)
}

func read(raw []byte, o Options, unwrap bool) (Set, error) {
	text := bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\ufeff")))
	if len(text) == 0 {
		return Set{}, fault.Unprocessablef(Field, "There are no cookies to import.").WithHint(formats)
	}
	switch {
	case text[0] == '"' && unwrap:
		var inner string
		if json.Unmarshal(text, &inner) != nil {
			return Set{}, errFormat
		}
		return read([]byte(inner), o, false)
	case text[0] == '[':
		return readArray(text, o)
	case text[0] == '{':
		return readObject(text, o)
	}
	return readNetscape(string(bytes.TrimPrefix(raw, []byte("\ufeff"))), o)
}

// formats says what can be read.
const formats = "Use a JSON array, {\"cookies\":[…]}, a Playwright storageState or a Netscape cookie file."

var errFormat = fault.Unprocessablef(Field, "The cookies are in no format that Cove can read.").WithHint(formats)

func readArray(text []byte, o Options) (Set, error) {
	var items []json.RawMessage
	if json.Unmarshal(text, &items) != nil {
		return Set{}, errFormat
	}
	r := reader{Options: o}
	for i, raw := range items {
		c, why := readItem(raw)
		if err := r.add(i+1, "Cookie", c, why); err != nil {
			return Set{}, err
		}
	}
	return r.done(), nil
}

func readObject(text []byte, o Options) (Set, error) {
	var in map[string]json.RawMessage
	if json.Unmarshal(text, &in) != nil {
		return Set{}, errFormat
	}
	list, there := in["cookies"]
	if !there {
		return Set{}, errFormat
	}
	if inner := bytes.TrimSpace(list); len(inner) == 0 || inner[0] != '[' && inner[0] != '"' {
		return Set{}, errFormat
	}
	set, err := read(list, o, true)
	if err != nil {
		return Set{}, err
	}
	if origins, there := in["origins"]; there && !isNull(origins) {
		var more []string
		if set.Origins, more, err = ReadOrigins(origins); err != nil {
			return Set{}, err
		}
		set.Ignored = append(set.Ignored, more...)
	}
	return set, nil
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(bytes.TrimSpace(raw)) == "null" }

// reader collects cookies.
type reader struct {
	Options
	set   Set
	index map[Key]int
}

// add takes one cookie, or refuses it because of why. unit and position say which one it is.
func (r *reader) add(position int, unit string, c Cookie, why string) error {
	if why == "" {
		why = c.clean()
	}
	if why != "" {
		if r.DropBad {
			r.set.Dropped++
			return nil
		}
		return fault.Unprocessablef(Field, "%s %d %s.", unit, position, why).
			WithHint("Correct it, or leave it out. Nothing was imported.")
	}
	if !c.Session() && c.Expires <= float64(r.Now.Unix()) {
		r.set.Expired++
		return nil
	}
	if r.index == nil {
		r.index = map[Key]int{}
	}
	if at, twice := r.index[c.Key()]; twice {
		r.set.Repeated++
		r.set.Cookies[at] = c
		return nil
	}
	r.index[c.Key()] = len(r.set.Cookies)
	r.set.Cookies = append(r.set.Cookies, c)
	return nil
}

func (r *reader) done() Set { return r.set }

// Domains returns the domains of cookies, sorted.
func Domains(cookies []Cookie) []string {
	domains := make([]string, 0, len(cookies))
	for _, c := range cookies {
		domains = append(domains, c.Domain)
	}
	slices.Sort(domains)
	return slices.Compact(domains)
}

// String tells how many cookies there are, so that a log never shows them.
func (s Set) String() string { return fmt.Sprintf("%d cookies", len(s.Cookies)) }

// String names the cookie without its value, so that a log never shows it.
func (c Cookie) String() string {
	return strings.TrimSpace(c.DottedDomain() + c.Path + " " + c.Name)
}
