// Package extension reads browser extensions from folders, .zip and .crx files, and says what they can reach.
package extension

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"time"

	"cove/internal/fault"
)

// ID is the number of an extension in Cove.
type ID int32

// Extension is one extension that Cove keeps a copy of. Profiles share that copy.
type Extension struct {
	ID   ID
	Name string
	Manifest
	// BrowserID is the id that browsers know it by, 32 letters. Key decides it, so it stays the same for all versions
	// and folders, and with it what the extension stores in a profile.
	BrowserID string
	// Key is the manifest's key: base64.
	Key string
	// Content is the hash of the files as they were given. It names the folder of this version.
	Content string
	// Size is the sum of the files' sizes.
	Size    int64
	Created time.Time
	Updated time.Time
}

// NotFound is the error for an extension that does not exist.
func NotFound(id ID) error {
	return fault.New(fault.CodeNotFound, "There is no extension "+strconv.Itoa(int(id))+".",
		"`cove extension list` shows the extensions.")
}

// As gives e the id of another extension: it becomes a newer version of that one.
func (e Extension) As(other Extension) Extension {
	e.Key, e.BrowserID = other.Key, other.BrowserID
	return e
}

// InProfile is an extension of a profile.
type InProfile struct {
	Extension
	Enabled bool
}

// Install is an extension that a browser shall have.
type Install struct {
	Name      string `json:"name"`
	BrowserID string `json:"id"`
	Key       string `json:"key"`
	Path      string `json:"path"`
	Enabled   bool   `json:"enabled"`
	// Background says that code of it runs without a page.
	Background bool `json:"background"`
}

// browserID returns the id that browsers derive from a key: half of its hash, in the letters a to p.
func browserID(key string) (string, error) {
	raw, err := base64.StdEncoding.DecodeString(key)
	if err != nil {
		return "", err
	}
	return idOf(sha256.Sum256(raw)), nil
}

func idOf(sum [sha256.Size]byte) string {
	id := []byte(hex.EncodeToString(sum[:16]))
	for i, c := range id {
		if c >= 'a' {
			id[i] = c - 'a' + 'k'
		} else {
			id[i] = c - '0' + 'a'
		}
	}
	return string(id)
}

// keyFor makes the key of an extension that has none. The same files get the same key, so that an extension that is
// removed and added again finds what it had stored.
func keyFor(content string) string {
	return base64.StdEncoding.EncodeToString([]byte("Cove extension " + content))
}
