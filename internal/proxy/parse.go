package proxy

import (
	"fmt"
	"strings"
	"unicode"

	"cove/internal/fault"
)

// parseHint is what to do about a string that is not understood.
const parseHint = "Write it as host:port:login:password or type://login:password@host:port; " +
	"the types are http, https, socks4 and socks5."

// Parse reads one proxy in any of the forms that people paste. With p for host:port, and the type first in any of them
// as type:// or type: (the default is http), these are:
//
//	p
//	p:login:password
//	login:password@p
//	p@login:password
//	login:password:p
//
// A password may hold colons and @, and no ://. An IPv6 host has brackets. A link that changes the exit address may
// follow, in brackets of its own. Only in type://login:password@p are login and password percent-decoded.
//
// A string that can be read in two ways is refused. No string means that there is no proxy. Errors never quote the
// string, because it may hold a password.
func Parse(line string) (Record, error) {
	line = strings.TrimSpace(line)
	if line == "" {
		return Record{}, unreadable("The proxy is empty.")
	}
	line, link, err := cutLink(line)
	if err != nil {
		return Record{}, err
	}
	if strings.ContainsFunc(line, isInvisible) {
		return Record{}, unreadable("The proxy contains a space or an invisible character.").
			WithHint("Write one proxy per line. A space in a password is %20 in type://login:password@host:port.")
	}
	kind, rest, isURL, err := cutType(line)
	if err != nil {
		return Record{}, err
	}

	if strings.Contains(rest, "://") {
		return Record{}, unreadable("The proxy holds a second address.").
			WithHint("Write a link that changes the IP address in brackets at the end: host:port[https://…]. " +
				"In a login or a password, write :// as %3A%2F%2F, after type://.")
	}
	p, err := onlyReading(rest, isURL)
	if err != nil {
		return Record{}, err
	}
	r := Record{Proxy: p, ChangeIPURL: link}
	r.Type = kind
	return r, r.Clean()
}

// IsLike reports whether a text can be read as a proxy, also in ways that Parse refuses.
func IsLike(text string) bool {
	text, _, err := cutLink(strings.TrimSpace(text))
	if err != nil || strings.ContainsFunc(text, isInvisible) {
		return false
	}
	_, rest, isURL, err := cutType(text)
	return err == nil && len(readings(rest, isURL)) > 0
}

// maxRefused is how many lines the error of ParseList names.
const maxRefused = 20

// ParseList reads one proxy per line. It skips blank lines and lines that begin with #. Its error names the lines that
// Parse refuses, each on a line of its own.
func ParseList(text string) ([]Record, error) {
	var all []Record
	var refused refusals
	text = strings.TrimPrefix(text, "\ufeff") // the byte order mark of a file
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		r, err := Parse(line)
		if err != nil {
			refused.add(i+1, fault.From(err))
			continue
		}
		all = append(all, r)
	}
	switch {
	case refused.count > 0:
		return nil, refused.fault()
	case len(all) == 0:
		return nil, unreadable("The list has no proxies.")
	}

	return all, nil
}

// refusals collects what is wrong with the lines of a list.
type refusals struct {
	texts []string
	count int
	hint  string // of all lines, or that of the forms if they have different ones
}

func (r *refusals) add(line int, f *fault.Error) {
	if r.count++; r.count > maxRefused {
		return
	}
	r.texts = append(r.texts, fmt.Sprintf("Line %d: %s", line, f.Text))
	if r.count == 1 {
		r.hint = f.Hint
	} else if r.hint != f.Hint {
		r.hint = parseHint
	}
}

func (r *refusals) fault() error {
	if more := r.count - maxRefused; more > 0 {
		r.texts = append(r.texts, fmt.Sprintf("… and %d more.", more))
	}
	return unreadable(strings.Join(r.texts, "\n")).WithHint(r.hint)
}

func unreadable(text string) *fault.Error {
	return fault.Unprocessablef("proxy", "%s", text).WithHint(parseHint)
}

// isInvisible reports whether a person cannot see a character: a space, a control character, or one that is drawn as
// nothing or as a blank.
func isInvisible(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\u2800' || // a Braille pattern without dots
		unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
