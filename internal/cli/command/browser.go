package command

import (
	"context"
	"path/filepath"
	"strconv"

	"cove/api"
	"cove/internal/fault"
)

// ChooseBrowser returns the data folder of a browser that the person uses outside Cove, and the folder of one of its
// profiles: those that from names, or those that the person chooses. It asks only if there are several.
func (e *Env) ChooseBrowser(ctx context.Context, c *api.Client, from string) (dataDir, dir string, err error) {
	if from != "" {
		dataDir, err = filepath.Abs(from)
		return dataDir, "", err
	}
	source, p, err := e.chooseSource(ctx, c)
	return source.DataDir, p.Dir, err
}

// chooseSource asks which browser and which of its profiles is meant, unless there is only one.
func (e *Env) chooseSource(ctx context.Context, c *api.Client) (api.LoginSource, api.LoginProfile, error) {
	sources, err := c.LoginImports().Sources(ctx)
	if err != nil {
		return api.LoginSource{}, api.LoginProfile{}, err
	}
	type pair struct {
		source  api.LoginSource
		profile api.LoginProfile
	}
	var all []pair
	for _, s := range sources {
		for _, p := range s.Profiles {
			all = append(all, pair{s, p})
		}
	}
	switch {
	case len(all) == 0:
		return api.LoginSource{}, api.LoginProfile{}, fault.New(fault.CodeAdoptNoBrowser,
			"No Chrome, Chromium, Edge or Brave was found.",
			"Name its data folder with --from; chrome://version shows it as the profile path.")
	case len(all) == 1:
		return all[0].source, all[0].profile, nil
	}
	t := Columns(e.Err)
	for i, one := range all {
		state := "closed"
		if one.source.Open {
			state = "open"
		}
		Row(t, strconv.Itoa(i+1), one.source.Name, one.profile.Name, state,
			one.source.DataDir+"/"+one.profile.Dir)
	}
	_ = t.Flush()
	line, err := e.Prompt(ctx, "Which browser? ")
	if err != nil {
		return api.LoginSource{}, api.LoginProfile{}, err
	}
	n, err := strconv.Atoi(line)
	if err != nil || n < 1 || n > len(all) {
		return api.LoginSource{}, api.LoginProfile{}, fault.Invalidf("No browser was chosen.").
			WithHint("Type a number of the list, or name a folder with --from.")
	}
	return all[n-1].source, all[n-1].profile, nil
}
