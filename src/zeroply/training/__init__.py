"""Training: any recipe on any corpus. Imports torch, Lightning, numpy and safetensors only."""
