package profiles

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/fault"
)

// findStatus returns the status that the flag names, and nil without the flag. Digits are always an id.
func (f *fields) findStatus(cmd *cobra.Command, client *api.Client) (*api.LooseStatus, error) {
	if !cmd.Flags().Changed("status") {
		return nil, nil
	}
	none := api.LooseStatus(0)
	if f.status == "" || f.status == "none" {
		return &none, nil
	}
	var l api.StatusList
	if err := client.Do(cmd.Context(), http.MethodGet, "/browser_profiles/statuses?limit=10000", nil, &l); err != nil {
		return nil, err
	}

	var names []string
	for _, s := range l.Data {
		names = append(names, s.Name)
		if strings.EqualFold(s.Name, f.status) && !command.OnlyDigits(f.status) || strconv.Itoa(int(s.ID)) == f.status {
			found := api.LooseStatus(s.ID)
			return &found, nil
		}
	}
	return nil, fault.New(fault.CodeNotFound, fmt.Sprintf("There is no status named %q.", f.status),
		fault.Suggest(f.status, names...)+"Create one with POST /v1.0/browser_profiles/statuses.")
}
