"""Builders of the playground's page and of the site."""
