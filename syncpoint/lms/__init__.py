"""Services of learning platforms: rosters come from them and marks go back, by LTI 1.3 or by their own API."""
