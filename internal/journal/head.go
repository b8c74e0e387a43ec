package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"

	"cove/internal/paths"
)

// Place is where one profile's journal is, and its key.
type Place struct {
	Dir paths.ProfileDir `json:"dir"`
	Key Key              `json:"key"`
}

// head is journal.json: where the journal begins and ends. It is kept outside the journal's folder, so that lines that are missing
// at either end are found.
type head struct {
	// First is the number of the first entry kept, Anchor the hash that it names as that of the one before, FirstFile its file.
	First     int64  `json:"first"`
	Anchor    string `json:"anchor"`
	FirstFile int    `json:"first_file"`
	// Oldest is the file that may still be there: those before FirstFile are being removed.
	Oldest int `json:"oldest"`
	// Last is the number of the last entry, Hash its hash, File the file that has it, Size that file's size.
	Last int64  `json:"last"`
	Hash string `json:"last_hash"`
	File int    `json:"file"`
	Size int64  `json:"size"`
	// Synced is the last entry that has reached the disk for sure.
	Synced int64 `json:"synced"`
	// Closed: the keeper has gone in order, so that nothing can stand behind the last entry.
	Closed bool   `json:"closed"`
	Seal   string `json:"seal,omitempty"`
}

var errHead = errors.New("the file is not what a keeper has written")

func (h head) text(k Key) []byte {
	h.Seal = ""
	raw, _ := json.Marshal(h)
	h.Seal = k.seal(string(raw))
	raw, _ = json.Marshal(h)
	return append(raw, '\n')
}

// readHead answers os.ErrNotExist when there is none, and errHead when it was changed.
func readHead(p Place) (h head, err error) {
	raw, err := os.ReadFile(p.Dir.JournalHead())
	if err != nil {
		return h, err
	}
	if json.Unmarshal(raw, &h) != nil || !bytes.Equal(raw, h.text(p.Key)) {
		return h, errHead
	}
	return h, nil
}

// write replaces the head in one step; sync waits for the disk.
func (h head) write(p Place, sync bool) error {
	if sync {
		return paths.WriteFile(p.Dir.JournalHead(), h.text(p.Key))
	}
	return paths.WriteVolatile(p.Dir.JournalHead(), h.text(p.Key))
}
