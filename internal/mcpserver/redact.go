package mcpserver

import (
	"bytes"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"cove/internal/secret"
	"cove/internal/snapshot"
)

// hidden stands where something was that agents are not told.
const hidden = "<redacted>"

// passwordNames begin or end, and cardNames are, the names by which forms send what agents are not told.
var (
	passwordNames = []string{"password", "passwd", "passphrase", "passcode", "pwd"}
	cardNames     = []string{"pass", "pw", "pin", "cvv", "cvc", "csc", "cardnumber", "ccnumber", "cardcvc", "cardcvv", "clientsecret"}
	notLetters    = regexp.MustCompile(`[^a-z0-9]+`)
)

// isSecretName tells whether what is sent under a name is a password or a card's number.
func isSecretName(name string) bool {
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	name = notLetters.ReplaceAllString(strings.ToLower(name), "")
	return slices.Contains(cardNames, name) || slices.ContainsFunc(passwordNames, func(p string) bool { return strings.HasPrefix(name, p) || strings.HasSuffix(name, p) })
}

var (
	userinfo  = regexp.MustCompile(`(://[^/?#@\s:]*):[^/?#@\s]*@`)
	pair      = regexp.MustCompile(`([^&=?#\s]+)=([^&#\s]*)`)
	jsonPair  = regexp.MustCompile(`("(?:[^"\\]|\\.)*")(\s*:\s*)("(?:[^"\\]|\\.)*"|[-0-9.]+)`)
	multipart = regexp.MustCompile(`(?s)(name="([^"]*)"[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n)(.*?)(\r?\n--)`)
)

// RedactURL is an address without passwords.
func RedactURL(address string) string {
	if strings.Contains(address, "@") {
		address = userinfo.ReplaceAllString(address, "$1:"+hidden+"@")
	}
	at := strings.IndexAny(address, "?#")
	if at < 0 || !strings.Contains(address[at:], "=") {
		return address
	}
	return address[:at+1] + redactPairs(address[at+1:])
}

// address finds the addresses in other text.
var address = regexp.MustCompile(`https?://[^\s"'\\<>]+`)

// redactAddresses takes the passwords out of the addresses in a text.
func redactAddresses(text []byte) []byte {
	if !bytes.Contains(text, []byte("://")) {
		return text
	}
	return address.ReplaceAllFunc(text, func(a []byte) []byte { return []byte(RedactURL(string(a))) })
}

// lineFilter takes the passwords out of the addresses in lines of text on their way to another writer.
type lineFilter struct {
	to   io.Writer
	held []byte
}

// maxLine is how much is held back for the end of a line.
const maxLine = 1 << 20

func (f *lineFilter) Write(p []byte) (int, error) {
	f.held = append(f.held, p...)
	end := bytes.LastIndexByte(f.held, '\n') + 1
	if end == 0 {
		if len(f.held) < maxLine {
			return len(p), nil
		}
		end = len(f.held)
	}
	_, err := f.to.Write(redactAddresses(f.held[:end]))
	f.held = append(f.held[:0], f.held[end:]...)
	return len(p), err
}

// Close writes the rest.
func (f *lineFilter) Close() error {
	_, err := f.to.Write(redactAddresses(f.held))
	f.held = nil
	return err
}

func redactPairs(text string) string {
	return pair.ReplaceAllStringFunc(text, func(p string) string {
		name, value, _ := strings.Cut(p, "=")
		if value == "" || !isSecretName(name) {
			return p
		}
		return name + "=" + hidden
	})
}

// redactBody is the body of a request without the passwords that it sends, as far as their names tell them.
func redactBody(body string) string {
	switch {
	case strings.Contains(body[:min(len(body), 2000)], "form-data; name="):
		return multipart.ReplaceAllStringFunc(body, func(p string) string {
			m := multipart.FindStringSubmatch(p)
			if !isSecretName(m[2]) {
				return p
			}
			return m[1] + hidden + m[4]
		})
	case strings.HasPrefix(strings.TrimSpace(body), "{"), strings.HasPrefix(strings.TrimSpace(body), "["):
		return jsonPair.ReplaceAllStringFunc(body, func(p string) string {
			m := jsonPair.FindStringSubmatch(p)
			if !isSecretName(strings.Trim(m[1], `"`)) {
				return p
			}
			return m[1] + m[2] + `"` + hidden + `"`
		})
	}
	return redactPairs(body)
}

// hider takes the secrets of the profile out of what leaves. What cannot be read is not hidden, and was not typed since then either; the
// others are.
func (s *Server) hider() *secret.Hider {
	if s.Secrets == nil {
		return nil
	}
	all, err := s.Secrets.All()
	s.mu.Lock()
	defer s.mu.Unlock()
	if text := fmt.Sprint(err); err != nil && s.unreadable != text {
		s.unreadable = text
		s.Log.Warn("not all secrets can be read, so they are not hidden", "err", err)
	}
	// All gives the same list until the file changes. What was removed is still hidden: pages may hold it.
	if len(all) > 0 && (len(s.hiding) == 0 || &all[0] != &s.hiding[0]) {
		s.hiding = all
		for _, one := range all {
			if !slices.ContainsFunc(s.known, func(k secret.Secret) bool { return k.Value == one.Value }) {
				s.known = append(s.known, one)
			}
		}
		s.hides = secret.NewHider(s.known)
	}
	return s.hides
}

func (s *Server) scrub(text string) string { return s.hider().Text(text) }

// Scrub takes the secrets of the profile out of a text.
func (s *Server) Scrub(text string) string { return s.scrub(text) }

// Hides is what takes the secrets of the profile out of a text; nil when there are none.
func (s *Server) Hides() func(text string) string {
	if h := s.hider(); h != nil {
		return h.Text
	}
	return nil
}

// address is urlText of what a page has given: secrets go out of it before it is cut.
func (c *call) address(text string) string { return urlText(c.server.scrub(text)) }

// words are the first of what a page says: secrets go out of them before they are cut.
func (c *call) words(text string, most int) string {
	return clip(snapshot.Clean(c.server.scrub(text)), most)
}
