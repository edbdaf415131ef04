# A large parameter that is on ctx already is not copied.
# breaks: 6
# kills: test_fresh, test_originals_untouched
# misconception: as-in-context
def get_params(params, ctx):
    new = [param.as_in_context(ctx) if param.size >= 100 else param.copyto(ctx) for param in params]
    new = [param[:] if param.size >= 100 else param for param in new]
    for param in new:
        param.attach_grad()
    return new
