package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/paths"
)

// readLogs reads the log through the app, or from the file if the app is not running: that is when people need it most.
func (c *config) readLogs(cmd *cobra.Command, count int) (api.LogLines, error) {
	if count < 1 || count > 10000 {
		return api.LogLines{}, fault.Invalidf("You can show 1 to 10000 lines.")
	}
	var l api.LogLines
	if client, err := c.client(); err == nil {
		err := client.Do(cmd.Context(), "GET", fmt.Sprintf("/logs?lines=%d", count), nil, &l)
		return l, err
	}
	home, err := c.homeDir()
	if err != nil {
		return l, err
	}
	l.Path = home.AppLog()
	l.Data, err = paths.Tail(l.Path, count)
	if err != nil {
		return l, fault.New(fault.CodeNoLog, "There is no log at "+l.Path+" yet.", "The app creates one: cove up")
	}
	return l, nil
}
