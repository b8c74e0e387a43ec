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

// head is the content of journal.json. It says where the journal begins and ends, so that Verify detects rows that are
// missing at either end. The file is outside the journal's folder.
type head struct {
	// First is the number of the oldest entry that is left. Anchor is the hash of the entry before it, and FirstFile is
	// the number of its file.
	First     int64  `json:"first"`
	Anchor    string `json:"anchor"`
	FirstFile int    `json:"first_file"`
	// Oldest is the number of the first file that may still exist. The files from Oldest up to FirstFile are being
	// removed.
	Oldest int `json:"oldest"`
	// Last is the number of the last entry, Hash is its hash, File is the number of its file, and Size is the size of
	// that file.
	Last int64  `json:"last"`
	Hash string `json:"last_hash"`
	File int    `json:"file"`
	Size int64  `json:"size"`
	// Synced is the number of the last entry that is on the disk for certain.
	Synced int64 `json:"synced"`
	// Closed says that the keeper closed the journal, so nothing can follow the last entry.
	Closed bool   `json:"closed"`
	Seal   string `json:"seal,omitempty"`
}

var errHead = errors.New("the file is not what a keeper wrote")

// text returns the content of journal.json: the head with its seal.
func (h head) text(k Key) []byte {
	h.Seal = ""
	raw, _ := json.Marshal(h)
	h.Seal = k.seal(string(raw))
	raw, _ = json.Marshal(h)
	return append(raw, '\n')
}

// readHead reads the head. It returns os.ErrNotExist if there is none, and errHead if somebody changed it.
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

// write replaces the head in one step. If sync is set, it waits for the disk.
func (h head) write(l Location, sync bool) error {
	if sync {
		return paths.WriteFile(l.Dir.JournalHead(), h.text(l.Key))
	}
	return paths.WriteVolatile(l.Dir.JournalHead(), h.text(l.Key))
}
