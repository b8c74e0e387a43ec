package keeperclient

import (
	"encoding/json"
	"errors"
	"os"
	"time"

	"cove/internal/paths"
	"cove/internal/process"
	"cove/internal/profile"
	"cove/internal/session"
)

// Protocol is the version of the keeper's socket that this program speaks. The fields of the record, /v1/watch and
// /v1/stop are the same in every version, so that any app can show and close the browser of any keeper. Everything else
// may change with the number: see protocol1.go for what a keeper of the version before understands.
const Protocol = 3

// Record is keeper.json: the app, the bridge and the command line find the keeper of an open profile by it.
type Record struct {
	process.ID
	Protocol int          `json:"protocol"`
	Version  string       `json:"version"`
	Socket   string       `json:"socket"`
	Token    string       `json:"token"`
	RunID    string       `json:"run_id"`
	Mode     session.Mode `json:"mode"`
	Headless bool         `json:"headless"`
	Browser  process.ID   `json:"browser"` // zero for a person's browser, which is not Cove's to end
	Shared   bool         `json:"shared,omitempty"`
	// Relay is the port that the browser uses as its proxy; 0 means none.
	Relay int `json:"relay,omitempty"`
}

// ReadRecord reads the record of a profile's keeper, whether the keeper is alive or not.
func ReadRecord(dir paths.ProfileDir) (Record, error) {
	var r Record
	raw, err := os.ReadFile(dir.Keeper())
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(raw, &r)
}

// AwaitRecord waits for the record of a keeper that holds the profile's lock and has not written one yet. The app that
// started it has died since.
func AwaitRecord(dir paths.ProfileDir) (Record, bool) {
	if _, err := os.Stat(dir.Lock()); err != nil {
		return Record{}, false
	}
	for limit := time.Now().Add(30 * time.Second); time.Now().Before(limit); <-time.After(10 * time.Millisecond) {
		lock, err := process.TryLock(dir.Lock())
		if err == nil {
			lock.Release()
		}
		if !errors.Is(err, process.ErrLocked) {
			return Record{}, false
		}
		if record, err := ReadRecord(dir); err == nil && record.Alive() {
			return record, true
		}
	}
	return Record{}, false
}

// Write publishes the record in the profile's folder.
func (r Record) Write(dir paths.ProfileDir) error {
	raw, err := r.Encode()
	if err != nil {
		return err
	}
	return paths.WriteVolatile(dir.Keeper(), raw)
}

// Encode returns the text of keeper.json.
func (r Record) Encode() ([]byte, error) {
	raw, err := json.MarshalIndent(r, "", "  ")
	return append(raw, '\n'), err
}

// RemoveRuntimeFiles removes the files that exist only while a profile is open. socket may be "".
func RemoveRuntimeFiles(dir paths.ProfileDir, socket string) {
	for _, name := range []string{dir.ActivePort(), dir.Keeper(), socket} {
		if name != "" {
			_ = os.Remove(name)
		}
	}
}

// ProfileIDs lists the profiles that have a folder on disk, whether the store knows them or not.
func ProfileIDs(home paths.Home) (ids []profile.ID, err error) {
	entries, err := os.ReadDir(home.Profiles())
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if id, err := profile.ParseID(e.Name()); err == nil && e.IsDir() {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
