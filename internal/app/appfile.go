package app

import (
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	"cove/internal/paths"
	"cove/internal/process"
)

// File is app.json: others find the running app by it.
type File struct {
	process.ID
	APIPort int       `json:"api_port"`
	Version string    `json:"version"`
	Started time.Time `json:"started"`
	// OwnPorts are the app's other ports. Pages never reach them.
	OwnPorts []int `json:"own_ports,omitempty"`
}

// ReadFile reads app.json. The app that wrote it may be gone.
func ReadFile(home paths.Home) (File, error) {
	var f File
	raw, err := os.ReadFile(home.AppFile())
	if err != nil {
		return f, err
	}
	return f, json.Unmarshal(raw, &f)
}

// announcement is app.json while the app runs. It is restored until withdraw is called. Its methods may be called from
// any goroutine.
type announcement struct {
	name string
	stop func()

	mu   sync.Mutex
	file File
	raw  []byte
}

// announce writes app.json.
func announce(home paths.Home, port int, version string) (*announcement, error) {
	a := &announcement{name: home.AppFile(), file: File{
		ID: process.Self(), APIPort: port, Version: version, Started: time.Now().UTC(),
	}}
	if err := a.setOwnPorts(); err != nil {
		return nil, err
	}
	a.stop = paths.Watchdog(func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		paths.Restore(a.name, a.raw)
	})
	return a, nil
}

// setOwnPorts says which other ports the app has.
func (a *announcement) setOwnPorts(ports ...int) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	file := a.file
	file.OwnPorts = ports
	raw, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		return err
	}
	raw = append(raw, '\n')
	if err := paths.WriteVolatile(a.name, raw); err != nil {
		return fmt.Errorf("write %s: %w", a.name, err)
	}

	a.file, a.raw = file, raw
	return nil
}

func (a *announcement) withdraw() {
	a.stop()
	_ = os.Remove(a.name)
}
