package journal

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"cove/internal/policy"
	"cove/internal/step"
)

// Row is an entry as it is in a file and in the API: one line of JSON. A row ends with its hash, which is the SHA-256
// of everything before `,"hash"`, and with the seal of that hash. Rows of older versions have no session, no words and
// no elements.
type Row struct {
	Seq        int64           `json:"seq"`
	Time       time.Time       `json:"time"`
	Agent      policy.Agent    `json:"agent"`
	Session    string          `json:"session,omitempty"`
	Name       string          `json:"name"`
	Args       json.RawMessage `json:"args,omitempty"`
	Page       string          `json:"page,omitempty"`
	Outcome    string          `json:"outcome"`
	Reason     string          `json:"reason,omitempty"`
	MS         float64         `json:"ms"`
	Element    *step.Element   `json:"element,omitempty"`
	Onto       *step.Element   `json:"onto,omitempty"`
	Count      int             `json:"count,omitempty"`
	Secrets    int             `json:"secrets,omitempty"`
	Text       string          `json:"text,omitempty"`
	Summary    string          `json:"summary,omitempty"`
	Kind       step.Kind       `json:"kind,omitempty"`
	Before     string          `json:"before,omitempty"`
	BeforeTime *time.Time      `json:"beforeTime,omitempty"`
	Screenshot string          `json:"picture,omitempty"`
	Prev       string          `json:"prev"`
}

// Limits of the parts of a row.
const (
	maxArgs = 8 << 10
	maxText = 2 << 10
	// maxRow is far above the size of any row that a keeper writes.
	maxRow = 256 << 10
)

func newRow(e Entry) Row {
	if year := e.Time.Year(); e.Time.IsZero() || year < 0 || year > 9999 {
		e.Time = time.Now()
	}
	if e.Outcome == "" {
		e.Outcome = OK
	}
	e.Agent.Name, e.Agent.Version = clip(e.Agent.Name), clip(e.Agent.Version)
	r := Row{
		Time: e.Time.UTC(), Agent: e.Agent, Session: clip(e.Session), Name: clip(e.Name), Args: clipArgs(e.Args),
		Page: clip(e.Page), Outcome: clip(e.Outcome), Reason: clip(e.Error),
		MS: float64(e.Duration.Microseconds()) / 1000, Element: clean(e.Element), Onto: clean(e.Onto),
		Count: e.Count, Secrets: e.Secrets,
	}
	words := r.words(e.Brief)
	r.Text, r.Kind = words.Text, words.Kind
	if words.Summary != words.Text {
		r.Summary = words.Summary
	}
	return r
}

func clean(e *step.Element) *step.Element {
	if e == nil {
		return nil
	}
	return step.Clean(*e)
}

// words puts the facts of a row into words.
func (r Row) words(brief string) step.Words {
	return step.Of(step.Facts{
		Name: r.Name, Event: r.Agent.Kind == Keeper, Args: r.Args, Page: r.Page, Outcome: r.Outcome, Reason: r.Reason,
		Brief: brief, Element: r.Element, Onto: r.Onto, Count: r.Count, Secrets: r.Secrets,
	})
}

// Words returns what the row says: as it was written, or for a row of an older version as good as its facts allow.
func (r Row) Words() step.Words {
	if r.Text != "" && r.Kind != "" {
		return step.Words{Text: r.Text, Summary: cmp.Or(r.Summary, r.Text), Kind: r.Kind}
	}
	return r.words("")
}

// clip cuts a text that is too long.
func clip(s string) string {
	if len(s) <= maxText {
		return s
	}
	return strings.ToValidUTF8(s[:maxText], "") + "…"
}

// clipArgs returns valid arguments of at most maxArgs bytes as they are. For all others it returns an object with their
// size and their beginning.
func clipArgs(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || (len(raw) <= maxArgs && json.Valid(raw) && utf8.Valid(raw)) {
		return raw
	}
	begins := strings.ToValidUTF8(string(raw[:min(len(raw), maxText)]), "�")
	out, _ := json.Marshal(map[string]any{"cut": len(raw), "begins": begins})
	return out
}

// Every row ends with ,"hash":"…","seal":"…"}, that is with these marks and the two values between them.
const (
	hashMark  = `,"hash":"`
	sealMark  = `","seal":"`
	endMark   = `"}`
	hashChars = 2 * sha256.Size
	endSize   = len(hashMark) + hashChars + len(sealMark) + 2*sealBytes + len(endMark)
)

// encodeRow returns the text of a row, with its line break, and the row's hash.
func (k Key) encodeRow(r Row) (text []byte, hash string, err error) {
	raw, err := json.Marshal(r)
	if err != nil {
		return nil, "", err
	}
	raw = raw[:len(raw)-1]
	sum := sha256.Sum256(raw)
	hash = hex.EncodeToString(sum[:])
	raw = append(raw, hashMark...)
	raw = append(raw, hash...)
	raw = append(raw, sealMark...)
	raw = append(raw, k.seal(hash)...)
	return append(raw, endMark+"\n"...), hash, nil
}

// storedRow is a row that was read from a file.
type storedRow struct {
	Row
	hash, seal string
	intact     bool // the hash matches the text
}

// parseRow reads a row from a line without its line break. It returns false if the line does not have the form of a
// row.
func parseRow(text []byte) (storedRow, bool) {
	var r storedRow
	cut := len(text) - endSize
	if cut < 1 {
		return r, false
	}
	body, end := text[:cut], string(text[cut:])
	hashEnd := len(hashMark) + hashChars
	sealEnd := endSize - len(endMark)
	if end[:len(hashMark)] != hashMark || end[hashEnd:hashEnd+len(sealMark)] != sealMark || end[sealEnd:] != endMark {
		return r, false
	}

	r.hash, r.seal = end[len(hashMark):hashEnd], end[hashEnd+len(sealMark):sealEnd]
	sum := sha256.Sum256(body)
	r.intact = hex.EncodeToString(sum[:]) == r.hash
	err := json.Unmarshal(append(bytes.Clone(body), '}'), &r.Row)
	return r, err == nil
}

// genuine reports whether a row is as a keeper wrote it.
func (k Key) genuine(r storedRow) bool { return r.intact && k.fits(r.hash, r.seal) }

// Recorded is a row that was read: what it says, its hash and seal, and whether the hash is that of its text.
type Recorded struct {
	Row
	Hash, Seal string
	Intact     bool
}

// Parse reads a row from a line without its line break. It returns false if the line does not have the form of a row.
func Parse(text []byte) (Recorded, bool) {
	r, ok := parseRow(text)
	return Recorded{r.Row, r.hash, r.seal, r.intact}, ok
}

// Sealed reports whether a row was sealed with this key.
func (k Key) Sealed(r Recorded) bool { return k.fits(r.Hash, r.Seal) }
