package command

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/profile"
)

// OnProfile runs a command about one profile, which its first argument names. With trashed a name is looked up in the
// trash.
func (e *Env) OnProfile(trashed bool,
	do func(cmd *cobra.Command, client *api.Client, id profile.ID) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		client, err := e.Client()
		if err != nil {
			return err
		}
		id, err := ProfileID(cmd.Context(), client, args[0], trashed)
		if err != nil {
			return err
		}

		return do(cmd, client, id)
	}
}

// ProfileID reads an id, or the name of exactly one profile. Digits are always an id.
func ProfileID(ctx context.Context, client *api.Client, text string, trashed bool) (profile.ID, error) {
	if OnlyDigits(text) {
		return profile.ParseID(text)
	}
	all, err := search(ctx, client, text, trashed)
	if err != nil {
		return 0, err
	}

	var found []profile.ID
	for _, p := range all {
		if p.Name == text {
			found = append(found, p.ID)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return 0, fault.New(fault.CodeNotFound, fmt.Sprintf("There is no profile named %q.", text),
			suggestProfile(ctx, client, text, trashed)+"`cove profile list` shows the profiles.")
	}

	return 0, fault.New(fault.CodeAmbiguous,
		fmt.Sprintf("%d profiles are named %q: %s.", len(found), text, JoinIDs(found)), "Use the profile's id.")
}

// DialProfileID is ProfileID for a command that may not need the app: it connects only to look up a name.
func DialProfileID(ctx context.Context, text string, dial func(context.Context) (*api.Client, error)) (profile.ID,
	error) {
	if OnlyDigits(text) {
		return profile.ParseID(text)
	}

	client, err := dial(ctx)
	if err != nil {
		return 0, err
	}

	return ProfileID(ctx, client, text, false)
}

// suggestProfile asks whether a profile with a similar name was meant.
func suggestProfile(ctx context.Context, client *api.Client, text string, trashed bool) string {
	all, err := search(ctx, client, "", trashed)
	if err != nil {
		return ""
	}

	var names []string
	for _, p := range all {
		if !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}

	return fault.Suggest(text, names...)
}

// search returns the profiles, or those of the trash, that a text finds.
func search(ctx context.Context, client *api.Client, text string, trashed bool) ([]api.Profile, error) {
	query := url.Values{"query": {text}, "limit": {"1000"}}
	if trashed {
		query.Set("trashed", "1")
	}
	l, err := client.Profiles().List(ctx, query)
	return l.Data, err
}

// OnlyDigits reports whether a word is a number, and so an id and not a name.
func OnlyDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// JoinIDs writes ids as a list for people.
func JoinIDs(ids []profile.ID) string {
	all := make([]string, len(ids))
	for i, id := range ids {
		all[i] = id.String()
	}
	return strings.Join(all, ", ")
}
