package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"cove/internal/policy"
)

// Line is an entry as it stands in a file and on the wire. After its fields each line ends with its hash, the SHA-256 of all that
// stands before `,"hash"`, and with the seal of that hash.
type Line struct {
	Seq     int64           `json:"seq"`
	Time    time.Time       `json:"time"`
	Agent   policy.Agent    `json:"agent"`
	Name    string          `json:"name"`
	Args    json.RawMessage `json:"args,omitempty"`
	Page    string          `json:"page,omitempty"`
	Outcome string          `json:"outcome"`
	Reason  string          `json:"reason,omitempty"`
	MS      float64         `json:"ms"`
	Picture string          `json:"picture,omitempty"`
	Prev    string          `json:"prev"`
}

// How long the parts of a line may be.
const (
	maxArgs = 8 << 10
	maxText = 2 << 10
	// maxLine is far above what a line of ours can be.
	maxLine = 256 << 10
)

func newLine(e Entry) Line {
	if year := e.Time.Year(); e.Time.IsZero() || year < 0 || year > 9999 {
		e.Time = time.Now()
	}
	if e.Outcome == "" {
		e.Outcome = OK
	}
	e.Agent.Name, e.Agent.Version = short(e.Agent.Name), short(e.Agent.Version)
	return Line{Time: e.Time.UTC(), Agent: e.Agent, Name: short(e.Name), Args: shortArgs(e.Args), Page: short(e.Page), Outcome: short(e.Outcome),
		Reason: short(e.Error), MS: float64(e.Took.Microseconds()) / 1000}
}

func short(s string) string {
	if len(s) <= maxText {
		return s
	}
	return strings.ToValidUTF8(s[:maxText], "") + "…"
}

// shortArgs keeps what is valid and not too long; of the rest its beginning, as a text.
func shortArgs(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || (len(raw) <= maxArgs && json.Valid(raw) && utf8.Valid(raw)) {
		return raw
	}
	out, _ := json.Marshal(map[string]any{"cut": len(raw), "begins": strings.ToValidUTF8(string(raw[:min(len(raw), maxText)]), "�")})
	return out
}

// The end of every line: ,"hash":"…","seal":"…"}
const (
	hashMark  = `,"hash":"`
	sealMark  = `","seal":"`
	endMark   = `"}`
	hashChars = 2 * sha256.Size
	endSize   = len(hashMark) + hashChars + len(sealMark) + 2*sealBytes + len(endMark)
)

// write makes the text of a line, with its line's end, and its hash.
func (k Key) write(l Line) (text []byte, hash string, err error) {
	raw, err := json.Marshal(l)
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

// written is a line that was read.
type written struct {
	Line
	hash, seal string
	intact     bool // the hash is that of the text
}

// read takes a line apart; false when it has not the shape of one. text is without the line's end.
func read(text []byte) (written, bool) {
	var w written
	cut := len(text) - endSize
	if cut < 1 {
		return w, false
	}
	body, end := text[:cut], string(text[cut:])
	hashEnd := len(hashMark) + hashChars
	sealEnd := endSize - len(endMark)
	if end[:len(hashMark)] != hashMark || end[hashEnd:hashEnd+len(sealMark)] != sealMark || end[sealEnd:] != endMark {
		return w, false
	}
	w.hash, w.seal = end[len(hashMark):hashEnd], end[hashEnd+len(sealMark):sealEnd]
	sum := sha256.Sum256(body)
	w.intact = hex.EncodeToString(sum[:]) == w.hash
	err := json.Unmarshal(append(bytes.Clone(body), '}'), &w.Line)
	return w, err == nil
}

// genuine says that the line is as a keeper has written it.
func (k Key) genuine(w written) bool { return w.intact && k.fits(w.hash, w.seal) }
