// Package keeper is the process that owns one browser from launch to exit, and the app's side of it.
package keeper

import (
	"encoding/json"
	"os"

	"cove/internal/chromium"
	"cove/internal/fault"
	"cove/internal/journal"
	"cove/internal/paths"
	"cove/internal/policy"
	"cove/internal/process"
	"cove/internal/profile"
	"cove/internal/session"
)

// Protocol is the version of what a keeper understands on its socket. The record's fields, /v1/watch and /v1/stop stay as they
// are in every version, so that any app can show and close the browser of any keeper; the rest may change with the number.
const Protocol = 1

// Spec is what the app tells a new keeper, on its standard input because it may hold a password.
type Spec struct {
	ID      profile.ID       `json:"id"`
	Name    string           `json:"name"`
	Dir     paths.ProfileDir `json:"dir"`
	Log     string           `json:"log"`
	Version string           `json:"version"`
	Want    session.Options  `json:"want"`
	Browser string           `json:"browser"`
	Options chromium.Options `json:"options"`
	Proxy   profile.Proxy    `json:"proxy"`
	Policy  policy.Policy    `json:"policy"`
	// Panic is the file that is there while every agent is kept out.
	Panic   string         `json:"panic"`
	Journal journal.Place  `json:"journal"`
	Bounds  journal.Bounds `json:"bounds"`
	// App is who has asked.
	App process.ID `json:"app"`
}

// Record is keeper.json: how the app and the bridge find the keeper.
type Record struct {
	process.ID
	Protocol int          `json:"protocol"`
	Version  string       `json:"version"`
	Socket   string       `json:"socket"`
	Token    string       `json:"token"`
	RunID    string       `json:"run_id"`
	Mode     session.Mode `json:"mode"`
	Headless bool         `json:"headless"`
	Browser  process.ID   `json:"browser"`
	// Relay is the port that the browser was told to use as its proxy, 0 for none.
	Relay int `json:"relay,omitempty"`
}

// ReadRecord reads the record of a profile's keeper, alive or not.
func ReadRecord(dir paths.ProfileDir) (Record, error) {
	var r Record
	raw, err := os.ReadFile(dir.Keeper())
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(raw, &r)
}

// Write puts the record where others look for it.
func (r Record) Write(dir paths.ProfileDir) error {
	raw, err := r.encode()
	if err != nil {
		return err
	}
	return paths.WriteVolatile(dir.Keeper(), raw)
}

func (r Record) encode() ([]byte, error) {
	raw, err := json.MarshalIndent(r, "", "  ")
	return append(raw, '\n'), err
}

// removeTraces removes what a keeper leaves while its profile is open.
func removeTraces(dir paths.ProfileDir, socket string) {
	for _, name := range []string{dir.ActivePort(), dir.Keeper(), socket} {
		if name != "" {
			_ = os.Remove(name)
		}
	}
}

// Status is what a keeper says of itself to whoever watches.
type Status struct {
	State session.State    `json:"state"`
	Facts session.Endpoint `json:"facts"`
	// End and Fault are set when the state is closed: why, and for a failed start what to tell the person.
	End   session.EndReason `json:"end,omitempty"`
	Fault *fault.Error      `json:"fault,omitempty"`
}

// hello is the one line that a new keeper writes to its standard output.
type hello struct {
	Record *Record      `json:"record,omitempty"`
	Fault  *fault.Error `json:"fault,omitempty"`
}
