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

// Row is an entry as it is in a file and in the API: one line of JSON. A row ends with its hash, which is the SHA-256
// of everything before `,"hash"`, and with the seal of that hash.
type Row struct {
	Seq        int64           `json:"seq"`
	Time       time.Time       `json:"time"`
	Agent      policy.Agent    `json:"agent"`
	Name       string          `json:"name"`
	Args       json.RawMessage `json:"args,omitempty"`
	Page       string          `json:"page,omitempty"`
	Outcome    string          `json:"outcome"`
	Reason     string          `json:"reason,omitempty"`
	MS         float64         `json:"ms"`
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
	return Row{
		Time: e.Time.UTC(), Agent: e.Agent, Name: clip(e.Name), Args: clipArgs(e.Args), Page: clip(e.Page),
		Outcome: clip(e.Outcome), Reason: clip(e.Error), MS: float64(e.Duration.Microseconds()) / 1000,
	}
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
