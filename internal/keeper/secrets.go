package keeper

import (
	"context"

	"cove/internal/keeperclient"
	"cove/internal/secret"
)

// listSecrets answers which secrets agents can type. It needs no key: names and sites are not encrypted.
func (k *keeper) listSecrets(context.Context, struct{}) (any, error) {
	all, err := secret.OpenHome(k.spec.Dir).List()
	if err != nil {
		return nil, err
	}
	list := make([]keeperclient.Secret, len(all))
	for i, one := range all {
		list[i] = keeperclient.Secret{Name: one.Name, Kind: string(one.Kind), Site: one.Site}
	}
	return list, nil
}
