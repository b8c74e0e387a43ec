package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"

	"cove/internal/paths"
)

// Location says where the journal of one profile is, and holds its key.
type Location struct {
	Dir paths.ProfileDir `json:"dir"`
	Key Key              `json:"key"`
}

// head is journal.json: it says where the journal begins and ends. It stands outside the journal's folder, so that
// Verify finds rows that are missing at either end.
type head struct {
	// First is the number of the first entry that is left, Anchor the hash that it names for the entry before it, and
	// FirstFile its file.
	First     int64  `json:"first"`
	Anchor    string `json:"anchor"`
	FirstFile int    `json:"first_file"`
	// Oldest is the first file that may still exist: those before FirstFile are being removed.
	Oldest int `json:"oldest"`
	// Last is the number of the last entry, Hash its hash, File its file, and Size the size of that file.
	Last int64  `json:"last"`
	Hash string `json:"last_hash"`
	File int    `json:"file"`
	Size int64  `json:"size"`
	// Synced is the number of the last entry that is on the disk for certain.
	Synced int64 `json:"synced"`
	// Closed says that the keeper ended in order, so nothing can follow the last entry.
	Closed bool   `json:"closed"`
	Seal   string `json:"seal,omitempty"`
}

var errHead = errors.New("the file is not what a keeper wrote")

// text is what the file holds: the head with its seal.
func (h head) text(k Key) []byte {
	h.Seal = ""
	raw, _ := json.Marshal(h)
	h.Seal = k.seal(string(raw))
	raw, _ = json.Marshal(h)
	return append(raw, '\n')
}

// readHead returns os.ErrNotExist when there is no head, and errHead when somebody changed it.
func readHead(l Location) (h head, err error) {
	raw, err := os.ReadFile(l.Dir.JournalHead())
	if err != nil {
		return h, err
	}
	if json.Unmarshal(raw, &h) != nil || !bytes.Equal(raw, h.text(l.Key)) {
		return h, errHead
	}
	return h, nil
}

// write replaces the head in one step. With sync it waits for the disk.
func (h head) write(l Location, sync bool) error {
	if sync {
		return paths.WriteFile(l.Dir.JournalHead(), h.text(l.Key))
	}
	return paths.WriteVolatile(l.Dir.JournalHead(), h.text(l.Key))
}
